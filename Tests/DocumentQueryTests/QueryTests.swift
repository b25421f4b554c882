import DocumentQuery
import DocumentStore
import DocumentValues
import Foundation
import Testing

/// Queries as a program uses them: parameters, columns, rows that are read while others are saved, errors.
struct QueryTests {
    private let golden: GoldenDatabase
    private var database: Database { golden.database }

    private typealias Expression = DocumentStore.Expression

    init() throws { golden = try GoldenDatabase() }

    private func rows(_ text: String, with parameters: Parameters? = nil) throws -> [String] {
        let query = try database.createQuery(text)
        query.parameters = parameters
        return try query.execute().allResults().map { $0.toJSON() }
    }

    /// What comes behind a statement inside is written as if that were not there.
    @Test func booleansStaySuchBehindAStatementInside() throws {
        let flags = try golden.collection("flags")
        try flags.save(document: MutableDocument(id: "a", json: #"{"flag":true,"number":1}"#))
        let found = try rows("SELECT [EXISTS (SELECT number + 1 FROM flags), flag] AS list FROM flags")
        #expect(found.count == 1 && found[0].hasSuffix(",true]}"), "\(found)")
    }

    @Test func columnsByKeyAndPosition() throws {
        let text = "SELECT META().id, name, geo.lat, equipment, geo, 1 + 1, nope FROM field.sites ORDER BY name"
        let results = try database.createQuery(text).execute()
        #expect(results.columnNames == ["id", "name", "lat", "equipment", "geo", "$1", "nope"])
        let first = try #require(results.next())
        #expect(first.count == 7)
        #expect(first.keys == results.columnNames && Array(first) == first.keys)
        #expect(first.string(forKey: "name") == "Depot")
        #expect(first.string(at: 1) == "Depot")
        #expect(first.int(forKey: "$1") == 2)
        #expect(first[1].string == "Depot")
        #expect(first["equipment"][0].string == first.array(at: 3)?.string(at: 0))
        #expect(first.dictionary(forKey: "geo")?.double(forKey: "lat") == first.double(at: 2))
        #expect(!first.contains(key: "nope"))
        #expect(first.value(forKey: "nope") == nil)
        #expect(first.value(at: 99) == nil)
        #expect(first.toArray().count == 7)
        #expect(first.toArray()[6] is NSNull)
        #expect(first.toDictionary()["nope"] == nil)
        #expect(results.allResults().count == 4)
        #expect(results.next() == nil)
    }

    /// It would look as if there were no rows.
    @Test func rowsThatCameToTheirEndAreNotGoneThroughAgain() throws {
        let query = try database.createQuery("SELECT name FROM field.sites")
        func check(_ results: ResultSet) {
            let error = results.error as? StoreError
            #expect(error?.message.hasPrefix("This result set has already been enumerated") == true)
        }
        let looped = try query.execute()
        var count = 0
        for _ in looped { count += 1 }
        #expect(count == 5 && looped.error == nil)
        for _ in looped { count += 1 }
        #expect(count == 5)
        check(looped)
        let listed = try query.execute()
        #expect(listed.next() != nil && listed.allResults().count == 4 && listed.error == nil)
        #expect(listed.allResults().isEmpty)
        check(listed)
        struct Site: Codable { let name: String }
        let decoded = try query.execute()
        #expect(try decoded.data(as: Site.self).count == 5)
        #expect(throws: StoreError.self) { try decoded.data(as: Site.self) }
    }

    @Test func rowsAsJSON() throws {
        #expect(
            try rows("SELECT t, n, dz, s, a, eo, nope, imax FROM one") == [
                #"{"t":true,"n":null,"dz":1.0,"s":"a","a":[1,2,3],"eo":{},"imax":9223372036854775807}"#
            ])
        #expect(try rows("SELECT * FROM one WHERE s = 'nope'") == [])
    }

    @Test func parameters() throws {
        let values = Parameters()
            .setString("Ada", forName: "name").setInt(36, forName: "age")
            .setArray(MutableArrayObject(data: [1, "x"]), forName: "list")
        let text = "SELECT name, $list AS list, $unset AS unset FROM _ WHERE name = $name AND age = $age"
        #expect(try rows(text, with: values) == [#"{"name":"Ada","list":[1,"x"]}"#])
        values.setInt(37, forName: "age")
        #expect(try rows(text, with: values) == [])
        #expect(values.value(forName: "age") as? Int == 37)
        #expect(throws: StoreError.self) { try rows("SELECT s FROM one", with: values) }
        values.setDouble(.nan, forName: "age")
        #expect(throws: StoreError.self) { try rows(text, with: values) }
    }

    /// Between whole numbers a division is whole.
    @Test func numbersOfParametersAndOfTheBuilderKeepTheirKind() throws {
        let values = Parameters().setDouble(5, forName: "d").setInt(5, forName: "i").setFloat(5, forName: "f")
        let text = "SELECT $d / 2 AS d, $i / 2 AS i, $f / 2 AS f FROM one"
        #expect(try rows(text, with: values) == [#"{"d":2.5,"i":2,"f":2.5}"#])
        let built = QueryBuilder.select(
            SelectResult.expression(Expression.double(5).divide(Expression.int(2))).as("d"),
            SelectResult.expression(Expression.int(5).divide(Expression.int(2))).as("i"),
            SelectResult.expression(Expression.value(5.0).divide(Expression.int(2))).as("v")
        ).from(DataSource.collection(try golden.collection("field.sites")))
        #expect(Set(try built.execute().allResults().map { $0.toJSON() }) == [#"{"d":2.5,"i":2,"v":2.5}"#])
    }

    @Test func whatIsSetIsCopied() throws {
        let query = try database.createQuery("SELECT $p AS p FROM one")
        let values = Parameters().setInt(1, forName: "p")
        query.parameters = values
        values.setInt(2, forName: "p")
        #expect(try query.execute().next()?.int(at: 0) == 1)
    }

    @Test func errorsHaveTheirPosition() throws {
        let error = #expect(throws: StoreError.self) { try database.createQuery("SELECT v FROM `kw` WHERE v 7") }
        #expect(error?.code == .invalidQuery)
        #expect(error?.context["position"] == "27")
        #expect(error?.message == "N1QL syntax error near character 28")
        #expect(
            error?.hint
                == "Column 28: found '7', expected an operator, GROUP BY, ORDER BY, LIMIT, OFFSET or the end.")
        #expect(error?.errorDescription?.utf8.contains(0x0A) == false)
        #expect((error as NSError?)?.code == CBLError.invalidQuery)
        let unknown = #expect(throws: StoreError.self) { try database.createQuery("SELECT v FROM nope") }
        #expect(unknown?.message == "no such collection \"nope\"")
        let near = #expect(throws: StoreError.self) { try database.createQuery("SELECT name FROM sites") }
        #expect(near?.hint == "Did you mean 'field.sites'?")
    }

    struct Site: Codable, Equatable {
        let name: String
        let region: String
        let active: Bool
    }

    @Test func decoding() throws {
        let query = try database.createQuery("SELECT name, region, active FROM field.sites WHERE region = 'north'")
        let sites = try query.execute().data(as: Site.self)
        #expect(!sites.isEmpty && sites.allSatisfy { $0.region == "north" })
        let whole = try database.createQuery("SELECT * FROM field.sites WHERE region = 'north'")
        #expect(try whole.execute().data(as: Site.self, dataKey: "sites") == sites)
        let misfit = try database.createQuery("SELECT name FROM field.sites")
        #expect(throws: StoreError.self) { try misfit.execute().data(as: Site.self) }
    }

    @Test func aResultSeesOneStateWhileOthersSave() throws {
        let numbers = try golden.collection("numbers")
        try database.inBatch {
            for number in 0..<2_000 {
                try numbers.save(document: MutableDocument(id: "\(number)").setInt(number, forKey: "n"))
            }
        }
        let query = try database.createQuery("SELECT n FROM numbers ORDER BY n")
        let results = try query.execute()
        #expect(results.next()?.int(at: 0) == 0)
        try numbers.save(document: MutableDocument(id: "new").setInt(-1, forKey: "n"))
        try numbers.purge(id: "1999")
        var count = 1
        while let row = results.next() {
            #expect(row.int(at: 0) == count)
            count += 1
        }
        #expect(count == 2_000)
        #expect(try query.execute().next()?.int(at: 0) == -1)
    }

    @Test func aBatchSeesItsOwnChanges() throws {
        let query = try database.createQuery("SELECT s FROM one ORDER BY s")
        #expect(throws: CancellationError.self) {
            try database.inBatch {
                try golden.collection("one").save(document: MutableDocument(id: "y").setString("b", forKey: "s"))
                #expect(try query.execute().allResults().map { $0.string(at: 0) } == ["a", "b"])
                throw CancellationError()
            }
        }
        #expect(try query.execute().allResults().count == 1)
    }

    private struct Numbered: Decodable {
        let k: Int?
    }

    @Test func closingEndsResults() throws {
        let query = try database.createQuery("SELECT k FROM mixed")
        let (results, objects) = (try query.execute(), try query.execute())
        let whole = try database.createQuery("SELECT k FROM mixed LIMIT 3").execute()
        _ = results.next()
        try database.close()
        #expect(results.allResults().count < 55)
        #expect((results.error as? StoreError)?.code == .notOpen, "rows are missing")
        #expect(results.next() == nil)
        let error = #expect(throws: StoreError.self) { try objects.data(as: Numbered.self) }
        #expect(error?.code == .notOpen)
        #expect(whole.allResults().count == 3 && whole.error == nil)
        #expect(throws: StoreError.self) { try query.execute() }
        #expect(throws: StoreError.self) { try query.explain() }
        #expect(throws: StoreError.self) { try database.createQuery("SELECT k FROM mixed") }
    }

    @Test func aDeletedCollectionIsNoSource() throws {
        let query = try database.createQuery("SELECT v FROM odd.`a-b`")
        try database.deleteCollection(name: "a-b", scope: "odd")
        #expect(throws: StoreError.self) { try query.execute() }
    }

    @Test func tooManyOpenResultsAreRefused() throws {
        let query = try database.createQuery("SELECT k FROM mixed")
        var open: [ResultSet] = []
        #expect(throws: StoreError.self) {
            for _ in 0..<1_000 { open.append(try query.execute()) }
        }
        #expect(open.count >= 10)
        open = []
        #expect(try query.execute().allResults().count == 56)
    }

    @Test func explainShowsSQLAndPlan() throws {
        let plan = try database.createQuery("SELECT name FROM field.sites WHERE META().id = 's1'").explain()
        #expect(plan.contains("SELECT"))
        #expect(plan.contains("USING INDEX"))
        #expect(plan.hasSuffix("SELECT name FROM field.sites WHERE META().id = 's1'\n"))
    }

    @Test func onlyDocumentsThatHaveNotExpired() throws {
        let one = try golden.collection("one")
        try one.save(document: MutableDocument(id: "soon").setString("z", forKey: "s"))
        try one.setDocumentExpiration(id: "soon", expiration: Date(timeIntervalSinceNow: 3_600))
        #expect(try rows("SELECT s FROM one ORDER BY s").count == 2)
        // It is purged soon; a batch, in which nothing else is, sees it as it is until then.
        try database.inBatch {
            try one.save(document: MutableDocument(id: "past").setString("zz", forKey: "s"))
            try one.setDocumentExpiration(id: "past", expiration: Date(timeIntervalSinceNow: -1))
            #expect(try rows("SELECT s FROM one ORDER BY s").count == 2)
        }
    }

    /// The inner variable is no other one's, however often the list is needed.
    @Test(arguments: ["ANY", "EVERY", "ANY AND EVERY"]) func aListMayHaveAVariableInside(quantifier: String) throws {
        let list = "[ANY y IN a SATISFIES y > 1 END]"
        #expect(
            try rows("SELECT \(quantifier) x IN \(list) SATISFIES x END AS found FROM one").count == 1)
        #expect(try rows("SELECT 1 AS n FROM one WHERE \(quantifier) x IN \(list) SATISFIES x END") == [#"{"n":1}"#])
    }

    @Test func anIdIsTakenForNoNumberByItsAlias() throws {
        let numbers = try golden.collection("numbers")
        try numbers.save(document: MutableDocument(id: "1"))
        #expect(try rows("SELECT META().id AS i FROM numbers WHERE i IN [1]") == [])
        #expect(try rows("SELECT META().id AS i FROM numbers WHERE i = 1") == [])
        #expect(try rows("SELECT META().id AS i FROM numbers WHERE i IN ['1']") == [#"{"i":"1"}"#])
    }

    /// A number is before every text.
    @Test(arguments: [
        ("6 BETWEEN 1 AND META().id", 1), ("META().id BETWEEN 1 AND 6", 0), ("META().id BETWEEN '1' AND '6'", 1),
        ("'5' BETWEEN META().id AND 'z'", 1), ("(META().id COLLATE NOCASE) = 5", 0),
        ("META().id = 5 COLLATE NOCASE", 0),
        ("(META().id COLLATE NOCASE) = '5'", 1), ("(META().sequence COLLATE NOCASE) = '1'", 0),
    ])
    func anIdIsTakenForNoNumber(condition: String, count: Int) throws {
        try golden.collection("numbers").save(document: MutableDocument(id: "5"))
        #expect(try rows("SELECT 1 FROM numbers WHERE \(condition)").count == count)
    }

    @Test(arguments: [
        ("v BETWEEN 'A' AND 'A' COLLATE NOCASE", "A a"), ("v BETWEEN 'A' AND 'A'", "A"),
        ("v NOT BETWEEN 'A' AND 'A' COLLATE NOCASE", "B b"),
        ("(v COLLATE NOCASE) BETWEEN 'A' AND 'A'", "A a"), ("v IN ['A', 'x'] COLLATE NOCASE", "A a"),
        ("v NOT IN ('A', 'x') COLLATE NOCASE", "B b"), ("(v COLLATE NOCASE) IN ('A')", "A a"),
        ("v IN $list COLLATE NOCASE", "A a"), ("(v COLLATE NOCASE) IN list", "A a"),
        ("v IN list COLLATE (UNICODE NOCASE)", "A a"), ("v IN list COLLATE CASE", "A"), ("v IN [] COLLATE NOCASE", ""),
        ("v LIKE 'A%' COLLATE NOCASE", "A a"), ("v NOT LIKE '_' COLLATE (UNICODE NODIAC)", ""),
        ("v LIKE 'Á' COLLATE (UNICODE NODIAC)", "A"), ("v LIKE 'Á' COLLATE (UNICODE NOCASE NODIAC)", "A a"),
        ("(v COLLATE NOCASE) LIKE 'a'", "A a"), ("v LIKE 'A' COLLATE CASE", "A"),
        ("(v = 'A' AND k > 0) COLLATE NOCASE", "A a"), ("(v = 'A' OR v IN ('B')) COLLATE NOCASE", "A B a b"),
        ("(NOT (v BETWEEN 'A' AND 'A' AND k = k)) COLLATE NOCASE", "B b"),
        ("((v COLLATE CASE) = 'A' AND k > 0) COLLATE NOCASE", "A"),
        ("META().id BETWEEN 'N1' AND 'N2' COLLATE NOCASE", "A a"), ("META().id IN ('N1') COLLATE NOCASE", "A"),
        ("META().id LIKE 'N1' COLLATE NOCASE", "A"),
    ])
    func aCollationIsThatOfAllComparisons(condition: String, found: String) throws {
        let letters = try golden.collection("letters")
        for (number, letter) in ["A", "a", "B", "b"].enumerated() {
            let data: [String: Any] = ["v": letter, "k": number + 1, "list": ["A"]]
            try letters.save(document: MutableDocument(id: "n\(number + 1)", data: data))
        }
        let query = try database.createQuery("SELECT v FROM letters WHERE \(condition) ORDER BY v")
        if condition.contains("$list") {
            query.parameters = Parameters().setValue(["A"], forName: "list")
        }
        #expect(try query.execute().allResults().compactMap { $0.string(at: 0) }.joined(separator: " ") == found)
    }

    /// What is behind the alias has variables of its own.
    @Test func aColumnWithAVariableIsUsedTwice() throws {
        let any = "SELECT (ANY x IN a SATISFIES x > 1 END) AS q"
        #expect(try rows("\(any) FROM one WHERE q = 1 OR q = 2 ORDER BY q, q + 1") == [#"{"q":1}"#])
        #expect(try rows("\(any) FROM one WHERE ANY x IN [1] SATISFIES q = x END") == [#"{"q":1}"#])
        #expect(try rows("SELECT s AS q FROM one WHERE ANY s IN [1] SATISFIES q = 'a' END") == [#"{"q":"a"}"#])
    }

    @Test func groupsByAPartOfAnElementKeepBooleans() throws {
        let flags = try golden.collection("flags")
        try flags.save(document: MutableDocument(id: "a", json: #"{"o":[{"b":true}]}"#))
        #expect(try rows("SELECT e.b FROM flags AS d UNNEST d.o AS e GROUP BY e.b") == [#"{"b":true}"#])
    }

    /// In the column's own order and groups, and not in those of the form that results have.
    @Test func aNumberMeansTheColumn() throws {
        let many = try golden.collection("many")
        let values = ["1", "1.0", "true", "2", #""A""#, #""é""#, "null", "[1]", #"{"a":1}"#, "false"]
        for (number, value) in values.enumerated() {
            try many.save(document: MutableDocument(id: "\(number)", json: #"{"v":\#(value),"g":\#(number % 2)}"#))
        }
        for (named, numbered) in [
            ("SELECT v FROM many ORDER BY v, META().id", "SELECT v FROM many ORDER BY 1, META().id"),
            (
                "SELECT TYPE(v) AS t, v AS x FROM many ORDER BY v DESC, META().id",
                "SELECT TYPE(v) AS t, v AS x FROM many ORDER BY 2 DESC, META().id"
            ),
            ("SELECT v, COUNT(*) FROM many GROUP BY v", "SELECT v, COUNT(*) FROM many GROUP BY 1"),
            (
                "SELECT g + 1, COUNT(*) FROM many GROUP BY g + 1 ORDER BY COUNT(*), g",
                "SELECT g + 1, COUNT(*) FROM many GROUP BY 1 ORDER BY 2, 1"
            ),
        ] {
            #expect(try rows(numbered) == rows(named))
        }
        #expect(try rows("SELECT g, 5 AS k FROM many ORDER BY k").count == 10)
        #expect(try rows("SELECT g FROM many ORDER BY (g = 1 AND 0), META().id").first == #"{"g":0}"#)
        #expect(try rows("SELECT COUNT(*) AS n, 1 AS k FROM many GROUP BY k") == [#"{"n":10,"k":1}"#])
        let error = #expect(throws: StoreError.self) { try rows("SELECT COUNT(*) AS n FROM many GROUP BY 1") }
        #expect(error?.message == "Cannot use aggregate function COUNT() in this context")
    }

    @Test func aParameterOfAnEmptyListIsTheQuerys() throws {
        let values = Parameters().setInt(1, forName: "p")
        #expect(try rows("SELECT ($p IN []) AS r, ($p NOT IN []) AS n FROM one", with: values).count == 1)
    }

    @Test func formsOfJSONThatTheTextHasNot() throws {
        let having = #"{"WHAT":[[".s"]],"FROM":[{"COLLECTION":"one"}],"HAVING":["=",1,2]}"#
        let error = #expect(throws: StoreError.self) { try database.createQuery(json: having) }
        #expect(error?.message == "HAVING needs a GROUP BY")
        let large = #"{"WHAT":[["<",[".imax"],1e400],["<",[".imax"],-1e400]],"FROM":[{"COLLECTION":"one"}]}"#
        let row = try #require(try database.createQuery(json: large).execute().next())
        #expect(row.boolean(at: 0) && !row.boolean(at: 1))
    }

    /// As a condition it is a table that SQLite makes once; elsewhere the same is said of each row.
    @Test(arguments: [
        ("META().id IN $p", #"["1", 2, null, "3"]"#, ["1", "3"]), ("META().id IN $p", "[]", []),
        ("META().id IN $p", #""1""#, []),
        ("META().id IN $p", #"{"a":"2"}"#, ["2"]), ("META().id IN $p", "null", []),
        ("n IN $p", "[1, 2.0, true]", ["1", "2"]), ("n IN $p", "[null, [1]]", ["4", "5"]), ("n IN $p", "1", []),
        ("ANY x IN $p SATISFIES x = META().id END", #"["2"]"#, ["2"]),
        ("ANY x IN $p SATISFIES x = META().id END", #""2""#, ["2"]),
        ("ANY x IN $p SATISFIES n = x END", "[1]", ["1"]), ("ANY x IN $p SATISFIES x = n END", "[3, 1]", ["1", "3"]),
        ("META().sequence IN $p", "[1, 3]", ["1", "3"]), ("META().sequence IN $p", #"["1"]"#, []),
    ])
    func aListThatIsTheSameForAllRows(condition: String, list: String, ids: [String]) throws {
        let numbers = try golden.collection("numbers")
        for (number, value) in ["1", "2", "3", "null", "[1]", "\"x\""].enumerated() {
            try numbers.save(document: MutableDocument(id: "\(number + 1)", json: #"{"n":\#(value)}"#))
        }
        try numbers.createIndex(withName: "ns", config: ValueIndexConfiguration(["n"]))
        let values = Parameters().setValue(try JSONValue(parsing: list), forName: "p")
        let rows = try rows("SELECT META().id FROM numbers WHERE \(condition) ORDER BY META().id", with: values)
        #expect(rows == ids.map { #"{"id":"\#($0)"}"# })
        let elsewhere = "SELECT META().id FROM numbers WHERE (\(condition)) = TRUE ORDER BY META().id"
        #expect(try self.rows(elsewhere, with: values) == rows)
        if condition.hasSuffix("IN $p"), !condition.contains("sequence") {
            let plan = try database.createQuery("SELECT 1 FROM numbers WHERE \(condition)").explain()
            #expect(plan.contains("SEARCH s0"), "\(plan)")
        }
    }

    /// 5.0 is another thing than 5: divided by 15 it is not 0.
    @Test func doublesStayDoubles() throws {
        let numbers = try golden.collection("numbers")
        let document = MutableDocument(id: "1").setDouble(5, forKey: "d").setInt(5, forKey: "i")
            .setFloat(-0.0, forKey: "f").setValue(2.0, forKey: "v")
        try numbers.save(document: document)
        #expect(try rows("SELECT d, i, f, v FROM numbers") == [#"{"d":5.0,"i":5,"f":-0.0,"v":2.0}"#])
        let query = try database.createQuery("SELECT d / 10, i / 10, $p / 10 FROM numbers")
        query.parameters = Parameters().setDouble(5, forName: "p")
        #expect(try query.execute().readAll().map { $0.toJSON() } == [#"{"$1":0.5,"$2":0,"$3":0.5}"#])
        let saved = try #require(try numbers.document(id: "1"))
        #expect(saved.int(forKey: "d") == 5 && saved.double(forKey: "d") == 5)
    }

    /// Wherever the query runs.
    @Test func whatAValueMakesFailIsTheSameErrorInABatch() throws {
        let query = try database.createQuery("SELECT k FROM mixed LIMIT 1.5")
        let outside = #expect(throws: StoreError.self) { try query.execute() }
        let inside = #expect(throws: StoreError.self) { try database.inBatch { _ = try query.execute() } }
        #expect(outside?.code == .invalidQuery && inside?.code == .invalidQuery)
        #expect(inside?.message == outside?.message)
    }

    /// More paths than are kept: each finds its own value.
    @Test func aStatementMayHaveThousandsOfPaths() throws {
        let keys = (0..<1_500).map { "k\($0)" }
        let wide = try golden.collection("wide")
        let bodies = (0..<2).map { id in
            "{" + keys.enumerated().map { "\"\($1)\":\($0 + id)" }.joined(separator: ",") + "}"
        }
        for (id, body) in bodies.enumerated() {
            try wide.save(document: MutableDocument(id: "\(id)", json: body))
        }
        #expect(try rows("SELECT \(keys.joined(separator: ", ")) FROM wide ORDER BY META().id") == bodies)
        #expect(try rows("SELECT k0 FROM wide WHERE 1499 IN (\(keys.joined(separator: ", "))) ORDER BY k0").count == 2)
    }

    @Test func tooManyArgumentsAreRefused() throws {
        let error = #expect(throws: StoreError.self) {
            let list = (0...QueryLimits.arguments).map { "'\($0)'" }.joined(separator: ", ")
            _ = try database.createQuery("SELECT CONCAT(\(list)) FROM one")
        }
        #expect(error?.message == "Too many arguments for function 'CONCAT'")
        let most = (1...QueryLimits.arguments).map { _ in "'x'" }.joined(separator: ", ")
        #expect(try rows("SELECT LENGTH(CONCAT(\(most))) AS n FROM one") == [#"{"n":100}"#])
    }
}
