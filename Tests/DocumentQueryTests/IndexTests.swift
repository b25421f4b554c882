import DocumentStore
import DocumentValues
import Foundation
import Testing

/// Indexes over their life: kept up with each save, used by the planner, the same rows with and without.
struct IndexTests {
    private let golden: GoldenDatabase
    private var database: Database { golden.database }
    private let visits: DocumentStore.Collection

    init() throws {
        golden = try GoldenDatabase()
        visits = try golden.collection("visits")
    }

    private func save(_ id: String, json: String) throws {
        try visits.save(document: MutableDocument(id: id, json: json))
    }

    private func ids(_ text: String) throws -> [String] {
        try database.createQuery(text).execute().allResults().compactMap { $0.string(at: 0) }.sorted()
    }

    private static let byTag = "SELECT META(v).id FROM visits AS v UNNEST v.tags AS t WHERE t = 'wet'"
    private static let byScore = "SELECT META().id FROM visits WHERE score >= 3"

    @Test func everyWriteKeepsIndexesUp() throws {
        try save("before", json: #"{"score":3,"tags":["wet","cold"]}"#)
        try visits.createIndex(withName: "scores", config: ValueIndexConfiguration(["score"]))
        try visits.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
        try save("after", json: #"{"score":5,"tags":["wet"]}"#)
        try save("other", json: #"{"score":1,"tags":"wet"}"#)
        #expect(try golden.used(["scores"], by: Self.byScore) == ["scores"])
        #expect(try golden.used(["tags"], by: Self.byTag) == ["tags"])
        #expect(try ids(Self.byScore) == ["after", "before"])
        #expect(try ids(Self.byTag) == ["after", "before", "other"])
        let changed = try #require(try visits.document(id: "after")).toMutable()
        try visits.save(document: changed.setJSON(#"{"score":2,"tags":[]}"#))
        #expect(try ids(Self.byScore) == ["before"])
        #expect(try ids(Self.byTag) == ["before", "other"])
        try visits.delete(document: try #require(try visits.document(id: "before")))
        try visits.purge(id: "other")
        #expect(try ids(Self.byScore) == [])
        #expect(try ids(Self.byTag) == [])
        try database.performMaintenance(type: .reindex)
        try database.performMaintenance(type: .integrityCheck)
    }

    @Test func arraysInArrays() throws {
        try save("a", json: #"{"rooms":[{"items":[{"n":1},{"n":7}]},{"items":[]}]}"#)
        try save("b", json: #"{"rooms":[{"items":[{"n":2}]}]}"#)
        let text = """
            SELECT META(v).id FROM visits AS v UNNEST v.rooms AS r UNNEST r.items AS i WHERE i.n > 5 AND r.items IS VALUED
            """
        #expect(try ids(text) == ["a"])
        try visits.createIndex(
            withName: "items", config: ArrayIndexConfiguration(path: "rooms[].items", expressions: ["n"]))
        #expect(try golden.used(["items"], by: text) == ["items"])
        #expect(try ids(text) == ["a"])
    }

    /// Quotation marks are found by their bytes: one with a combining mark behind it still ends the text.
    @Test func anIndexHasATextThatBeginsWithACombiningMark() throws {
        try save("a", json: #"{"rooms":[{"name":"x"},{"name":"y"}]}"#)
        try save("b", json: #"{"rooms":[{"name":"y"}]}"#)
        try visits.createIndex(
            withName: "marked", config: ArrayIndexConfiguration(path: "rooms", expressions: ["'\u{301}' || name"]))
        let text =
            "SELECT META(v).id FROM visits AS v UNNEST v.rooms AS r WHERE '\u{301}' || r.name = '\u{301}x'"
        #expect(try golden.used(["marked"], by: text) == ["marked"])
        #expect(try ids(text) == ["a"])
    }

    @Test func aPartialIndexIsUsedWithItsConditionOnly() throws {
        try save("a", json: #"{"score":3,"open":true}"#)
        try save("b", json: #"{"score":3,"open":false}"#)
        try visits.createIndex(
            withName: "open", config: ValueIndexConfiguration(["score"], where: "open = TRUE"))
        let with = "SELECT META().id FROM visits WHERE score = 3 AND open = TRUE"
        #expect(try golden.used(["open"], by: with) == ["open"])
        #expect(try ids(with) == ["a"])
        let without = "SELECT META().id FROM visits WHERE score = 3"
        #expect(try golden.used(["open"], by: without) == [])
        #expect(try ids(without) == ["a", "b"])
    }

    @Test func indexesSortWithoutASort() throws {
        try visits.createIndex(withName: "scores", config: ValueIndexConfiguration(["score"]))
        let plan = try database.createQuery("SELECT META().id FROM visits ORDER BY score LIMIT 10").explain()
        #expect(plan.contains("INDEX scores"))
        #expect(!plan.contains("TEMP B-TREE"))
    }

    @Test(arguments: [
        "", "a\"b", "documents_1_deleted", "INDEX_1", "sqlite_x", "indexes_by_name", "Collections",
    ])
    func impossibleNames(name: String) {
        let error = #expect(throws: StoreError.self) {
            try visits.createIndex(withName: name, config: ValueIndexConfiguration(["score"]))
        }
        #expect(error?.code == .invalidParameter)
    }

    @Test(arguments: [
        "name IN ['north', 'south']", "name IN ['north', 3]", "name IN [$a, 'south']", "name IN ('north')",
    ])
    func aListOfConstantsUsesAnIndex(condition: String) throws {
        try save("a", json: #"{"name":"north"}"#)
        try save("b", json: #"{"name":"east"}"#)
        try visits.createIndex(withName: "names", config: ValueIndexConfiguration(["name"]))
        let text = "SELECT META().id FROM visits WHERE \(condition)"
        #expect(try golden.used(["names"], by: text) == ["names"])
        let query = try database.createQuery(text)
        if condition.contains("$a") { query.parameters = Parameters().setString("north", forName: "a") }
        #expect(try query.execute().allResults().compactMap { $0.string(at: 0) } == ["a"])
    }

    /// Each query is of documents that are not deleted, which are nearly all in it.
    @Test func anIndexOfDeletionsIsUsedByQueriesOfItOnly() throws {
        try save("a", json: #"{"score":3,"tags":["wet"]}"#)
        try save("gone", json: #"{"score":3,"tags":["wet"]}"#)
        try visits.delete(document: try #require(try visits.document(id: "gone")))
        let any = "ANY t IN tags SATISFIES t > 'w' END"
        for (name, expression) in [("deletions", "META().deleted"), ("scores", "score"), ("wet", any)] {
            try visits.createIndex(withName: name, config: ValueIndexConfiguration([expression]))
        }
        let names = ["deletions", "scores", "wet"]
        for (condition, used) in [
            ("score >= 3", ["scores"]), ("name = 'x' OR score = 3", []), (any, ["wet"]),
            ("\(any) AND score < 4", ["wet"]),
        ] {
            let text = "SELECT META().id FROM visits WHERE \(condition)"
            #expect(try golden.used(names, by: text) == used, "\(condition)")
            #expect(try ids(text) == ["a"], "\(condition)")
        }
        #expect(try golden.used(names, by: "SELECT META().id FROM visits") == [])
        let deleted = "SELECT META().id FROM visits WHERE META().deleted = 1"
        #expect(try golden.used(names, by: deleted) == ["deletions"])
        #expect(try ids(deleted) == ["gone"])
    }

    @Test func anIndexWithACollationIsUsed() throws {
        try save("a", json: #"{"name":"North"}"#)
        try visits.createIndex(withName: "names", config: ValueIndexConfiguration(["name COLLATE NOCASE"]))
        let text = "SELECT META().id FROM visits WHERE name = 'NORTH' COLLATE NOCASE"
        #expect(try golden.used(["names"], by: text) == ["names"])
        #expect(try ids(text) == ["a"])
    }

    @Test func anElementMayBeSearched() throws {
        let text = "SELECT META(v).id FROM visits AS v UNNEST v.rooms AS r WHERE r.name = 'x'"
        try visits.createIndex(
            withName: "rooms",
            config: ArrayIndexConfiguration(
                path: "rooms", expressions: ["name", "ANY p IN parts SATISFIES p = 1 END"]))
        try save("a", json: #"{"rooms":[{"name":"x","parts":[1,2]}]}"#)
        #expect(try ids(text) == ["a"])
    }

    /// Another process may be in another zone.
    @Test(arguments: ["STR_TO_MILLIS(date)", "LOWER(MILLIS_TO_STR(time))", "STR_TO_UTC(date)", "STR_TO_TZ(date, 60)"])
    func noIndexDependsOnTheZone(expression: String) throws {
        let configurations: [any IndexConfiguration] = [
            ValueIndexConfiguration([expression]), ValueIndexConfiguration(["a"], where: "\(expression) = 1"),
            ArrayIndexConfiguration(path: "tags", expressions: [expression]),
            FullTextIndexConfiguration(["a"], where: "\(expression) = 1"),
        ]
        for configuration in configurations {
            let error = #expect(throws: StoreError.self) {
                try visits.createIndex(withName: "zoned", config: configuration)
            }
            #expect(error?.code == .invalidQuery)
            #expect(error?.message.contains("depends on the time zone") == true)
        }
        try visits.createIndex(withName: "utc", config: ValueIndexConfiguration(["MILLIS_TO_UTC(time)"]))
    }

    /// The document may be a colleague's.
    @Test func whatAFunctionFailsForIsMissingInAnIndex() throws {
        try save("before", json: #"{"t":"\#(Self.slow)","tags":["\#(Self.slow)"]}"#)
        let expression = "REGEXP_CONTAINS(t, '(a*)*b')"
        try visits.createIndex(withName: "slow", config: ValueIndexConfiguration([expression]))
        try visits.createIndex(
            withName: "some", config: ValueIndexConfiguration(["score"], where: expression))
        try visits.createIndex(
            withName: "tags",
            config: ArrayIndexConfiguration(path: "tags", expressions: ["REGEXP_CONTAINS(x, '(a*)*b')"]))
        try visits.createIndex(
            withName: "words", config: FullTextIndexConfiguration(["t"], where: expression))
        try save("after", json: #"{"t":"\#(Self.slow)","tags":[{"x":"\#(Self.slow)"}]}"#)
        try save("good", json: #"{"t":"ab"}"#)
        let document = try #require(try visits.document(id: "after")?.toMutable())
        try visits.save(document: document.setString("b", forKey: "t"))
        try visits.delete(document: try #require(try visits.document(id: "before")))
        try database.performMaintenance(type: .reindex)
        try database.performMaintenance(type: .integrityCheck)
        #expect(try ids("SELECT META().id FROM visits WHERE \(expression) = TRUE") == ["after", "good"])
    }

    @Test func aQueryStillFailsForWhatAFunctionFailsFor() throws {
        try save("a", json: #"{"t":"\#(Self.slow)"}"#)
        let text = "SELECT REGEXP_CONTAINS(t, '(a*)*b') FROM visits"
        #expect(throws: StoreError.self) { try ids(text) }
        // Also in a batch that has written.
        #expect(throws: StoreError.self) {
            try database.inBatch {
                try save("b", json: "{}")
                _ = try ids(text)
            }
        }
    }

    private static let slow = String(repeating: "a", count: 40)

    @Test func noIndexIsOfWhatFailsForEveryDocument() throws {
        let error = #expect(throws: StoreError.self) {
            try visits.createIndex(withName: "bad", config: ValueIndexConfiguration(["REGEXP_LIKE(t, '(')"]))
        }
        #expect(error?.code == .invalidQuery)
    }

    @Test func booleansOfAnIndexAreBooleans() throws {
        try save("a", json: #"{"a":1,"b":true}"#)
        try save("b", json: #"{"a":2,"b":false}"#)
        let query = try database.createQuery("SELECT MAX(b), MIN(b) FROM visits WHERE b <= TRUE GROUP BY a ORDER BY a")
        let without = try query.execute().allResults().map { $0.toJSON() }
        try visits.createIndex(withName: "both", config: ValueIndexConfiguration(["a", "b"]))
        #expect(try query.execute().allResults().map { $0.toJSON() } == without)
        #expect(without.first?.contains("true") == true && without.last?.contains("false") == true)
    }

    /// SQLite keeps a boolean as a number, so what is no comparison reads the document.
    @Test(arguments: [
        "ISSTRING(s)", "IFNULL(s, 1)", "TOATOM(s)", "GREATEST(s, 0)", "NULLIF(s, 5)", "ARRAY_CONTAINS(s, TRUE)",
        "{'k': s}.k", "CASE WHEN META().id = '1' THEN TRUE ELSE FALSE END", "s",
    ])
    func anIndexOfAFunctionChangesNoBoolean(expression: String) throws {
        for (number, value) in ["\"a\"", "true", "false", "1", "[true]", "null"].enumerated() {
            try save("\(number)", json: #"{"s":\#(value)}"#)
        }
        let texts = [
            "SELECT \(expression) FROM visits WHERE \(expression) >= 0 ORDER BY META().id",
            "SELECT \(expression) AS x FROM visits ORDER BY \(expression), META().id",
            "SELECT [\(expression)] AS x, TYPE(\(expression)), (\(expression)) || '' FROM visits ORDER BY META().id",
            """
            SELECT META().id FROM visits WHERE TYPE(\(expression)) = 'boolean' AND \(expression) >= 0
            ORDER BY META().id
            """,
            "SELECT MAX(\(expression)) AS x, MIN(\(expression)) AS y FROM visits",
            "SELECT META().id FROM visits WHERE ANY y IN [\(expression)] SATISFIES ISBOOLEAN(y) END ORDER BY META().id",
        ]
        func answers() throws -> [[String]] {
            try texts.map { try database.createQuery($0).execute().readAll().map { $0.toJSON() } }
        }
        let without = try answers()
        try visits.createIndex(withName: "x", config: ValueIndexConfiguration([expression]))
        #expect(try answers() == without)
        #expect(try golden.used(["x"], by: "SELECT META().id FROM visits WHERE \(expression) >= 0") == ["x"])
    }

    @Test func anIndexOfAnyChangesNoBoolean() throws {
        try save("a", json: #"{"s":[1]}"#)
        try save("b", json: #"{"s":[2]}"#)
        let any = "ANY x IN s SATISFIES x = 1 END"
        let query = try database.createQuery("SELECT (\(any)) AS q FROM visits ORDER BY q")
        let without = try query.execute().readAll().map { $0.toJSON() }
        try visits.createIndex(withName: "x", config: ValueIndexConfiguration([any]))
        #expect(try query.execute().readAll().map { $0.toJSON() } == without)
        #expect(without == [#"{"q":false}"#, #"{"q":true}"#])
    }

    @Test(arguments: ["MAX", "MIN"]) func theExtremeIsFoundInAnIndex(function: String) throws {
        for (id, value) in [("a", "true"), ("b", "false"), ("c", "0.5")] { try save(id, json: #"{"s":\#(value)}"#) }
        try save("d", json: "{}")
        let text = "SELECT \(function)(s) AS s FROM visits"
        let row = #"{"s":\#(function == "MAX")}"#
        #expect(try database.createQuery(text).execute().readAll().map { $0.toJSON() } == [row])
        try visits.createIndex(withName: "x", config: ValueIndexConfiguration(["s"]))
        #expect(try golden.used(["x"], by: text) == ["x"])
        #expect(try database.createQuery(text).execute().readAll().map { $0.toJSON() } == [row])
        #expect(try ids("SELECT \(function)(s) FROM visits WHERE META().id = 'nobody'") == [])
    }

    @Test func whatAPatternBeginsWithIsFoundInAnIndex() throws {
        for (id, name) in zip("abcdef", ["abc1", "abc2", "ABC1", "abd", "ab\u{10FFFF}", "ab"]) {
            try save("\(id)", json: #"{"name":"\#(name)"}"#)
        }
        try save("g", json: #"{"name":12}"#)
        let patterns = ["abc%", "ab%", "ab_", "a%1", "12%", "1%", "%c1", "ab", "ab\u{10FFFF}%", "\\ab%"]
        func found(_ pattern: String) throws -> [String] {
            try ids("SELECT META().id FROM visits WHERE name LIKE '\(pattern)'")
        }
        let without = try patterns.map(found)
        try visits.createIndex(withName: "names", config: ValueIndexConfiguration(["name"]))
        #expect(try patterns.map(found) == without)
        #expect(without[0] == ["a", "b"] && without[4] == ["g"])
        #expect(try golden.used(["names"], by: "SELECT META().id FROM visits WHERE name LIKE 'abc%'") == ["names"])
        let lower = "SELECT META().id FROM visits WHERE LOWER(name) LIKE 'abc%'"
        try visits.createIndex(withName: "lower", config: ValueIndexConfiguration(["LOWER(name)"]))
        #expect(try golden.used(["lower"], by: lower) == ["lower"])
        #expect(try ids(lower) == ["a", "b", "c"])
    }

    @Test func aConstantIsNoNameOfAColumn() throws {
        try save("a", json: #"{"score":1}"#)
        for (number, text) in ["'true'", "'body'", "'id'", "score, 'x'"].enumerated() {
            try visits.createIndex(withName: "i\(number)", config: ValueIndexConfiguration([text]))
        }
        #expect(try ids(Self.byScore) == [])
    }

    @Test(arguments: [
        ("score", "1) GROUP BY (v"), ("SELECT v FROM _ ORDER BY v LIMIT 1", nil), ("SELECT DISTINCT v FROM _", nil),
        ("SELECT a.v FROM _ AS a JOIN _ AS b ON a.v = b.v", nil),
    ])
    func anIndexHasNoOtherClauses(expressions: String, condition: String?) throws {
        let error = #expect(throws: StoreError.self) {
            try visits.createIndex(
                withName: "x", config: ValueIndexConfiguration([expressions], where: condition))
        }
        #expect(error?.code == .invalidQuery)
    }

    @Test func aSearchUsesItsIndex() throws {
        try visits.createIndex(withName: "words", config: FullTextIndexConfiguration(["text"]))
        let plan = try database.createQuery("SELECT META().id FROM visits WHERE MATCH(words, 'wet')").explain()
        #expect(plan.contains("VIRTUAL TABLE INDEX"))
    }

    @Test func aDeletedCollectionTakesItsIndexesAlong() throws {
        try visits.createIndex(withName: "scores", config: ValueIndexConfiguration(["score"]))
        try visits.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
        try database.deleteCollection(name: "visits")
        #expect(throws: StoreError.self) { try visits.indexes() }
        #expect(throws: StoreError.self) { try visits.deleteIndex(forName: "tags") }
        let again = try golden.collection("visits")
        #expect(try again.indexes() == [])
        try again.createIndex(withName: "tags", config: ArrayIndexConfiguration(path: "tags"))
        #expect(try again.indexes() == ["tags"])
    }
}
