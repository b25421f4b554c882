import DocumentStore
import DocumentValues
import Foundation
import Testing

/// Indexes of values of ANY and EVERY with any condition, and in the conditions of partial indexes.
struct QuantifierIndexTests {
    private let golden: GoldenDatabase
    private var database: Database { golden.database }
    private let visits: DocumentStore.Collection

    init() throws {
        golden = try GoldenDatabase()
        visits = try golden.collection("visits")
        let bodies = [
            #"{"n":2,"tags":[1,5],"rooms":[{"size":3,"name":"a"}]}"#, #"{"n":7,"tags":[5,6],"rooms":[]}"#,
            #"{"n":1,"tags":["x",null,true]}"#, #"{"n":0,"tags":4,"rooms":[{"size":9},{"size":1}]}"#, "{}",
            #"{"tags":[],"rooms":{"k":{"size":4}}}"#,
        ]
        for (number, body) in bodies.enumerated() { try save("\(number)", json: body) }
    }

    private func save(_ id: String, json: String) throws {
        try visits.save(document: MutableDocument(id: id, json: json))
    }

    private func ids(_ text: String) throws -> [String] {
        try database.createQuery(text).execute().readAll().compactMap { $0.string(at: 0) }.sorted()
    }

    private static let expressions = [
        "ANY x IN tags SATISFIES x > 4 END", "EVERY x IN tags SATISFIES x > 4 END",
        "ANY AND EVERY x IN tags SATISFIES x > 4 END", "ANY x IN tags SATISFIES x > n END",
        "ANY x IN tags SATISFIES x = 5 END", "ANY x IN tags SATISFIES x = n + 3 END",
        "ANY r IN rooms SATISFIES r.size > 2 AND r.name IS MISSING END",
        "ANY r IN rooms SATISFIES ANY t IN tags SATISFIES t = r.size + 2 END END",
        "ANY x IN tags SATISFIES x = TRUE OR META().id = '0' END",
        "EVERY x IN tags SATISFIES META().sequence > 2 AND TYPE(x) = 'number' END",
        "ANY x IN tags SATISFIES UPPER(x) = 'X' COLLATE NOCASE END",
        "ANY x IN tags SATISFIES x LIKE 'x%' OR x IN [1, 'it''s'] END",
    ]

    @Test(arguments: expressions) func anIndexOfOneIsUsed(expression: String) throws {
        let texts = [
            "SELECT META().id FROM visits WHERE \(expression)",
            "SELECT META().id FROM visits WHERE NOT (\(expression))",
            "SELECT META(v).id FROM visits AS v WHERE \(expression) AND n >= 1",
            "SELECT META().id FROM visits WHERE (\(expression)) = TRUE",
        ]
        let columns = [
            "SELECT (\(expression)) AS q, META().id FROM visits ORDER BY META().id",
            "SELECT \(expression), COUNT(*) FROM visits GROUP BY \(expression) ORDER BY \(expression)",
            "SELECT [\(expression)] AS q FROM visits ORDER BY \(expression), META().id",
        ]
        func rows() throws -> [[String]] {
            try columns.map { try database.createQuery($0).execute().readAll().map { $0.toJSON() } }
        }
        let (found, without) = (try texts.map(ids), try rows())
        try visits.createIndex(withName: "any", config: ValueIndexConfiguration([expression, "n"]))
        #expect(try texts.map(ids) == found)
        #expect(try rows() == without)
        for text in texts { #expect(try golden.used(["any"], by: text) == ["any"], "\(text)") }
        // Written after the index was made.
        try save("6", json: #"{"n":2,"tags":[1,5],"rooms":[{"size":3},{"size":9}]}"#)
        try save("1", json: #"{"n":7,"tags":[1]}"#)
        try visits.purge(id: "0")
        let (with, again) = (try texts.map(ids), try rows())
        try database.performMaintenance(type: .reindex)
        try database.performMaintenance(type: .integrityCheck)
        try visits.deleteIndex(forName: "any")
        #expect(try texts.map(ids) == with)
        #expect(try rows() == again)
    }

    @Test(arguments: expressions) func aPartialIndexMayHaveOneAsItsCondition(expression: String) throws {
        let text = "SELECT META().id FROM visits WHERE \(expression) AND n >= 1"
        let found = try ids(text)
        try visits.createIndex(withName: "some", config: ValueIndexConfiguration(["n"], where: expression))
        #expect(try golden.used(["some"], by: text) == ["some"])
        #expect(try ids(text) == found)
        // Another index has it as an expression.
        try visits.createIndex(withName: "any", config: ValueIndexConfiguration([expression]))
        #expect(try ids(text) == found)
        #expect(try !golden.used(["any", "some"], by: text).isEmpty)
        #expect(try golden.used(["some"], by: "SELECT META().id FROM visits WHERE n >= 1") == [])
        try database.performMaintenance(type: .compact)
        try database.performMaintenance(type: .integrityCheck)
    }

    @Test func joinsFindIt() throws {
        let text = """
            SELECT META(v).id, META(w).id FROM visits AS v JOIN visits AS w ON w.n = v.n + 1
            WHERE ANY x IN v.tags SATISFIES x > v.n AND META(v).id != '9' END ORDER BY META(v).id, META(w).id
            """
        func rows() throws -> [String] { try database.createQuery(text).execute().readAll().map { $0.toJSON() } }
        let without = try rows()
        #expect(!without.isEmpty)
        try visits.createIndex(
            withName: "any",
            config: ValueIndexConfiguration(["ANY x IN tags SATISFIES x > n AND META().id != '9' END"]))
        #expect(try golden.used(["any"], by: text) == ["any"])
        #expect(try rows() == without)
    }

    /// Its value is in no index, and a call that is a part of another one is not found either.
    @Test func othersAreSearchesAsBefore() throws {
        try visits.createIndex(
            withName: "any", config: ValueIndexConfiguration(["ANY x IN tags SATISFIES x > 4 END"]))
        let other = "SELECT META().id FROM visits WHERE ANY x IN tags SATISFIES x > 5 END"
        #expect(try golden.used(["any"], by: other) == [])
        #expect(try ids(other) == ["1", "2"])
        let parameter = try database.createQuery(
            "SELECT META().id FROM visits WHERE ANY x IN tags SATISFIES x > $p END")
        parameter.parameters = Parameters().setInt(4, forName: "p")
        #expect(try parameter.execute().readAll().count == 3)
        let alias = "SELECT n AS tags, META().id FROM visits WHERE ANY x IN tags SATISFIES x > 4 END"
        #expect(try database.createQuery(alias).execute().readAll().map { $0.string(at: 1) } == ["1"])
    }

    /// A part of a larger expression, and as an argument, where booleans are kept as such.
    @Test(arguments: [
        "IFNULL(ANY x IN tags SATISFIES x > 4 END, 1)", "CASE WHEN ANY x IN tags SATISFIES x > 4 END THEN n ELSE 0 END",
        "n > 0 AND ANY x IN tags SATISFIES x > 4 END", "(ANY x IN tags SATISFIES x > 4 END) || ''",
    ]) func aPartOfAnExpressionIsFound(expression: String) throws {
        let text = "SELECT META().id FROM visits WHERE (\(expression)) >= 1"
        let order = "SELECT META().id FROM visits ORDER BY \(expression), META().id"
        let (found, ordered) = (try ids(text), try ids(order))
        try visits.createIndex(withName: "part", config: ValueIndexConfiguration([expression]))
        #expect(try ids(text) == found)
        #expect(try ids(order) == ordered)
        #expect(try golden.used(["part"], by: text) == ["part"])
    }

    @Test func mistakesAreErrorsOfTheIndex() throws {
        let nested = String(repeating: "ABS(", count: 60) + "x" + String(repeating: ")", count: 60)
        for expression in [
            "ANY x IN tags SATISFIES x > $p END", "ANY x IN tags SATISFIES COUNT(x) > 1 END",
            "ANY x IN tags SATISFIES REGEXP_LIKE(x, '(') END",
            "ANY x IN tags SATISFIES STR_TO_MILLIS(x) > 1 END",
            "ANY x IN tags SATISFIES x > 1 END AND ANY x IN rooms SATISFIES x > 1 END",
        ] {
            let error = #expect(throws: StoreError.self, "\(expression)") {
                try visits.createIndex(withName: "any", config: ValueIndexConfiguration([expression]))
            }
            #expect(error?.code == .invalidQuery, "\(expression)")
        }
        // SQLite itself refuses these.
        for expression in ["ANY x IN tags SATISFIES \(nested) > 1 END", nested] {
            let error = #expect(throws: StoreError.self) {
                try visits.createIndex(withName: "any", config: ValueIndexConfiguration([expression]))
            }
            #expect(error?.code == .invalidQuery)
            #expect(error?.message.contains("too many expressions inside each other") == true)
        }
        #expect(try visits.indexes() == [])
        try save("7", json: #"{"tags":[1]}"#)
    }
}
