import DocumentStore
import DocumentValues
import Testing

/// Queries that fail for what a document has: never with a part of their rows, as if they were all.
struct QueryFailureTests {
    private let golden: GoldenDatabase
    private var database: Database { golden.database }
    private let texts: DocumentStore.Collection

    init() throws {
        golden = try GoldenDatabase()
        texts = try golden.collection("texts")
    }

    private static let slow = String(repeating: "a", count: 40)
    private static let expression = "REGEXP_CONTAINS(t, '(a*)*b')"

    private func save(_ count: Int, slow: Int? = nil) throws {
        try database.inBatch {
            for number in 0..<count {
                let text = number == slow ? Self.slow : "ab"
                let document = MutableDocument(id: "\(number)").setInt(number, forKey: "n").setString(text, forKey: "t")
                try texts.save(document: document)
            }
        }
    }

    @Test(arguments: [
        "SELECT n, \(expression) FROM texts", "SELECT n FROM texts WHERE \(expression)",
        "SELECT n, \(expression) FROM texts ORDER BY n",
        "SELECT a.n FROM texts AS a WHERE EXISTS (SELECT 1 FROM one WHERE REGEXP_CONTAINS(a.t, '(a*)*b'))",
    ])
    func theLastRowMayBeTheOne(text: String) throws {
        try save(40, slow: 39)
        let error = #expect(throws: StoreError.self) { try database.createQuery(text).execute() }
        #expect(error?.code == .invalidQuery)
        #expect(error?.context["reason"] == "The regular expression takes too long")
        #expect(error?.context["sqlite"] == "1")
    }

    @Test func aSumThatOverflowsIsNotTheEnd() throws {
        try save(40)
        let sum = "SELECT n, SUM(CASE n WHEN 38 THEN 9223372036854775807 ELSE 1 END) AS s FROM texts GROUP BY n"
        #expect(try database.createQuery(sum).execute().readAll().count == 40)
        try texts.save(document: MutableDocument(id: "x").setInt(38, forKey: "n"))
        let error = #expect(throws: StoreError.self) { try database.createQuery(sum).execute() }
        #expect(error?.code == .invalidQuery)
    }

    /// The sum alone decides, and not the order in which SQLite reads the numbers.
    @Test(
        arguments: [
            (["9223372036854775807", "1", "-5"], "9223372036854775803"),
            (["-5", "9223372036854775807", "1"], "9223372036854775803"),
            (["-9223372036854775808", "-1", "1"], "-9223372036854775808"), (["9223372036854775807", "1"], nil),
            (["-9223372036854775808", "-9223372036854775808"], nil),
        ] as [([String], String?)])
    func anIndexDoesNotChangeASum(numbers: [String], sum: String?) throws {
        for (index, number) in numbers.enumerated() {
            try texts.save(document: MutableDocument(id: "\(index)", json: #"{"n":\#(number)}"#))
        }
        let text = "SELECT SUM(n) AS s FROM texts WHERE n < 9223372036854775807 OR n > 0"
        for isIndexed in [false, true] {
            if isIndexed { try texts.createIndex(withName: "numbers", config: ValueIndexConfiguration(["n"])) }
            for text in [text, "SELECT SUM(n) AS s FROM texts"] {
                if let sum {
                    let row = try #require(try database.createQuery(text).execute().next())
                    #expect(row.toJSON() == #"{"s":\#(sum)}"#)
                } else {
                    let error = #expect(throws: StoreError.self) { try database.createQuery(text).execute() }
                    #expect(error?.context["reason"] == "integer overflow")
                }
            }
        }
    }

    /// A number that is not whole makes all of the sum one, wherever it is among the others.
    @Test(arguments: [["0.5", "9223372036854775807", "1"], ["9223372036854775807", "1", "0.5"]])
    func aSumWithAFractionDoesNotOverflow(numbers: [String]) throws {
        for (index, number) in numbers.enumerated() {
            try texts.save(document: MutableDocument(id: "\(index)", json: #"{"n":\#(number)}"#))
        }
        let row = try #require(try database.createQuery("SELECT SUM(n) FROM texts").execute().next())
        #expect(row.double(at: 0) == 9_223_372_036_854_775_808)
    }

    /// It is run to its end first, and then from where the first rows end.
    @Test func allRowsComeOfAQueryThatMayFail() throws {
        try save(2_000)
        let query = try database.createQuery("SELECT n FROM texts WHERE \(Self.expression) ORDER BY n")
        let results = try query.execute()
        // Also with what has changed meanwhile.
        try texts.purge(id: "1000")
        #expect(try results.readAll().map { $0.int(at: 0) } == Array(0..<2_000))
        #expect(try query.execute().readAll().count == 1_999)
    }

    /// Documents for which the expression fails are in no index.
    @Test func anIndexHidesNoFailure() throws {
        try save(3, slow: 1)
        let text = "SELECT n FROM texts WHERE \(Self.expression) = TRUE"
        for configuration in [
            ValueIndexConfiguration([Self.expression]),
            ValueIndexConfiguration(["n"], where: "\(Self.expression) = TRUE"),
        ] {
            try texts.createIndex(withName: "x", config: configuration)
            #expect(try golden.used(["x"], by: text + " AND n >= 0") == [])
            #expect(throws: StoreError.self) { try database.createQuery(text + " AND n >= 0").execute() }
        }
        let elements = ArrayIndexConfiguration(path: "t", expressions: ["REGEXP_LIKE(x, 'a')"])
        try texts.createIndex(withName: "x", config: elements)
        let unnest = "SELECT n.n FROM texts AS n UNNEST n.t AS e WHERE REGEXP_LIKE(e.x, 'a') = TRUE"
        #expect(try golden.used(["x"], by: unnest) == [])
    }

    @Test func whatIsNoIndex() throws {
        let long = [String](repeating: "a", count: 100).joined(separator: "[].")
        let configurations: [any IndexConfiguration] = [
            ValueIndexConfiguration(["EXISTS (SELECT 1 FROM one)"]),
            ValueIndexConfiguration(["ANY x IN t SATISFIES EXISTS (SELECT 1 FROM one) END"]),
            FullTextIndexConfiguration(["t"], where: "EXISTS (SELECT 1 FROM one)"),
            ValueIndexConfiguration((0...2_000).map { "n + \($0)" }), ArrayIndexConfiguration(path: long),
        ]
        for configuration in configurations {
            let error = #expect(throws: StoreError.self) {
                try texts.createIndex(withName: "x", config: configuration)
            }
            #expect(error?.code == .invalidQuery)
        }
        try texts.createIndex(withName: "x", config: ValueIndexConfiguration(["ANY x IN t SATISFIES x = 1 END"]))
        try texts.createIndex(
            withName: "y", config: ArrayIndexConfiguration(path: "t", expressions: ["ANY x IN y SATISFIES x > 1 END"]))
    }
}
