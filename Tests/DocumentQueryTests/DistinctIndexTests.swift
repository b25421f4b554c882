import DocumentStore
import DocumentValues
import Foundation
import Testing

/// DISTINCT, GROUP BY and COUNT(DISTINCT) of what an index has in order: no table of keys is made.
struct DistinctIndexTests {
    private let golden: GoldenDatabase
    private var database: Database { golden.database }
    private let visits: DocumentStore.Collection

    init() throws {
        golden = try GoldenDatabase()
        visits = try golden.collection("visits")
        let values = [
            "1", "true", "1.0", "0", "false", "-0.0", "null", "\"a\"", "\"A\"", "\"a\"", "[1]", "[1]", "{\"k\":true}",
            "2.5", "\"1\"", "9007199254740993",
        ]
        try database.inBatch {
            for (number, value) in values.enumerated() {
                let body = #"{"x":\#(value),"n":\#(number),"b":\#(number % 3 == 0)}"#
                try visits.save(document: MutableDocument(id: "\(number)", json: body))
            }
            try visits.save(document: MutableDocument(id: "none", json: #"{"n":3}"#))
        }
    }

    private func rows(_ text: String) throws -> [String] {
        try database.createQuery(text).execute().readAll().map { $0.toJSON() }
    }

    /// Of equal numbers either may be there.
    private func sorted(_ rows: [String]) -> [String] {
        rows.map { $0.replacing("-0.0", with: "0").replacing("1.0", with: "1") }.sorted()
    }

    private func isSorted(_ plan: String) -> Bool { !plan.contains("TEMP B-TREE") }

    @Test(arguments: [
        "SELECT DISTINCT x FROM visits", "SELECT DISTINCT x AS y FROM visits", "SELECT DISTINCT v.x FROM visits AS v",
        "SELECT DISTINCT 'x' FROM visits", "SELECT DISTINCT x FROM visits WHERE n > 2 AND b = TRUE",
        "SELECT DISTINCT x FROM visits WHERE ANY y IN [1, n] SATISFIES y > 5 END",
    ])
    func oneProperty(text: String) throws {
        let without = try rows(text)
        try visits.createIndex(withName: "xs", config: ValueIndexConfiguration(["x", "n"]))
        let plan = try database.createQuery(text).explain()
        #expect(try golden.used(["xs"], by: text) == ["xs"])
        #expect(isSorted(plan), "\(plan)")
        #expect(try sorted(rows(text)) == sorted(without))
    }

    @Test(arguments: ["", " DESC"]) func inTheirOrderWithALimit(direction: String) throws {
        let texts = [
            "SELECT DISTINCT x FROM visits ORDER BY x\(direction)",
            "SELECT DISTINCT x AS y FROM visits ORDER BY y\(direction)",
            "SELECT DISTINCT x FROM visits ORDER BY x\(direction) LIMIT 4 OFFSET 5",
            "SELECT DISTINCT x FROM visits ORDER BY x\(direction) LIMIT $n",
        ]
        func answers() throws -> [[String]] {
            try texts.map { text in
                let query = try database.createQuery(text)
                if text.contains("$n") { query.parameters = Parameters().setInt(3, forName: "n") }
                // Of values that are equal in the order either may be the first.
                return try query.execute().readAll().map { row in
                    row.toJSON().replacing("-0.0", with: "0").replacing("1.0", with: "1").replacing("true", with: "1")
                        .replacing("false", with: "0")
                }
            }
        }
        let without = try answers()
        try visits.createIndex(withName: "xs", config: ValueIndexConfiguration(["x"]))
        for text in texts { #expect(try golden.used(["xs"], by: text) == ["xs"]) }
        #expect(try answers() == without)
    }

    @Test func keysOfBooleansAloneAreBooleans() throws {
        try visits.createIndex(withName: "bs", config: ValueIndexConfiguration(["b"]))
        #expect(try rows("SELECT DISTINCT b FROM visits ORDER BY b") == ["{}", #"{"b":false}"#, #"{"b":true}"#])
    }

    @Test(arguments: ["LOWER(x)", "TYPE(x)", "n + 1", "META().id"]) func functionsWithoutBooleans(expression: String)
        throws
    {
        let text = "SELECT DISTINCT \(expression) AS y FROM visits"
        let without = try rows(text)
        try visits.createIndex(withName: "ys", config: ValueIndexConfiguration([expression]))
        let plan = try database.createQuery(text).explain()
        #expect(isSorted(plan) && (expression.hasPrefix("META") || plan.contains("INDEX ys")), "\(plan)")
        #expect(try rows(text).sorted() == without.sorted())
    }

    @Test(arguments: [
        "SELECT COUNT(DISTINCT x) FROM visits", "SELECT COUNT(*) FROM visits GROUP BY x",
        "SELECT COUNT(*) AS c FROM visits GROUP BY x HAVING c > 1 ORDER BY x", "SELECT MAX(n) FROM visits GROUP BY x",
    ])
    func groupsAndCounts(text: String) throws {
        let without = try rows(text)
        try visits.createIndex(withName: "xs", config: ValueIndexConfiguration(["x"]))
        let plan = try database.createQuery(text).explain()
        #expect(try golden.used(["xs"], by: text) == ["xs"])
        #expect(isSorted(plan), "\(plan)")
        #expect(try rows(text).sorted() == without.sorted())
    }

    /// Rows of several columns, of a part of the documents, of groups: as without the index.
    @Test(arguments: [
        "SELECT DISTINCT x, b FROM visits", "SELECT DISTINCT 'x' AS y FROM visits",
        "SELECT DISTINCT x FROM visits ORDER BY n, x", "SELECT DISTINCT COUNT(x) FROM visits",
        "SELECT DISTINCT v.x FROM visits AS v JOIN visits AS w ON v.n = w.n", "SELECT DISTINCT * FROM visits",
        "SELECT DISTINCT x FROM visits WHERE EXISTS (SELECT 1 FROM visits AS w WHERE w.n = 3)",
        "SELECT DISTINCT v FROM visits AS v", "SELECT DISTINCT x FROM visits ORDER BY x COLLATE NOCASE, n",
    ])
    func othersAreAsWithout(text: String) throws {
        let without = try rows(text)
        try visits.createIndex(withName: "xs", config: ValueIndexConfiguration(["x"]))
        try visits.createIndex(withName: "some", config: ValueIndexConfiguration(["n"], where: "b = TRUE"))
        #expect(try !database.createQuery(text).explain().contains("CROSS JOIN (VALUES"), "not by the index's keys")
        #expect(try sorted(rows(text)) == sorted(without))
    }

    /// `b` is the column in ORDER BY, so `b.c` is of another property than the keys of the index.
    @Test(arguments: [("b", true), ("b.c", false), ("b.c DESC", false)])
    func theOrderMayBeginWithAnAlias(term: String, usesIndex: Bool) throws {
        let sites = try database.createCollection(name: "aliases")
        let values = [#"{"a":1,"c":2}"#, #"{"a":2,"c":1}"#, #"{"a":1,"c":3}"#, #"{"a":2,"c":4}"#]
        for (number, value) in values.enumerated() {
            try sites.save(document: MutableDocument(id: "\(number)", json: #"{"b":{"c":\#(value)}}"#))
        }
        let text = "SELECT DISTINCT b.c AS b FROM aliases ORDER BY \(term)"
        let without = try rows(text)
        #expect(without.count == 4)
        try sites.createIndex(withName: "keys", config: ValueIndexConfiguration(["b.c"]))
        #expect(try rows(text) == without)
        if usesIndex { #expect(try golden.used(["keys"], by: text) == ["keys"]) }
    }

    @Test func deletedAndExpiredDocumentsAreLeftOut() throws {
        try visits.createIndex(withName: "xs", config: ValueIndexConfiguration(["x"]))
        for id in ["6", "10"] { try visits.delete(document: try #require(try visits.document(id: id))) }
        try visits.setDocumentExpiration(id: "13", expiration: Date(timeIntervalSinceNow: -1))
        let text = "SELECT DISTINCT x FROM visits"
        #expect(try golden.used(["xs"], by: text) == ["xs"])
        let left = try rows(text)
        #expect(!left.contains(#"{"x":null}"#) && !left.contains(#"{"x":2.5}"#) && left.contains(#"{"x":[1]}"#))
    }
}
