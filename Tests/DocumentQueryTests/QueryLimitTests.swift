import DocumentStore
import DocumentValues
import Testing

/// How long, deep and slow a query may be: beyond that it has an error of its own.
struct QueryLimitTests {
    private let golden: GoldenDatabase
    private var database: Database { golden.database }

    init() throws { golden = try GoldenDatabase() }

    private func rows(_ text: String) throws -> [String] {
        try database.createQuery(text).execute().readAll().map { $0.toJSON() }
    }

    private static func chain(_ link: String, of part: String) -> String {
        [String](repeating: part, count: 300).joined(separator: link)
    }

    /// SQLite's parser takes some 100 open parentheses and operators.
    @Test(arguments: [
        (chain(" OR ", of: "imax = 0"), "false"), (chain(" AND ", of: "imax > 0"), "true"),
        ("FALSE OR (\(chain(" AND ", of: "imax > 0")))", "true"), (chain(" + ", of: "dz"), "300.0"),
        (chain(" * ", of: "dz"), "1.0"), ("LENGTH(\(chain(" || ", of: "s")))", "300"),
        ("LENGTH(s || (\(chain(" || ", of: "s"))))", "301"), ("0 - \(chain(" - ", of: "1"))", "-300"),
        (nested("CASE WHEN imax = 0 THEN 1 ELSE ", "2", " END")(150), "2"),
    ])
    func longChains(expression: String, value: String) throws {
        #expect(try rows("SELECT \(expression) FROM one") == ["{\"$1\":\(value)}"])
        #expect(try rows("SELECT 1 FROM one WHERE (\(expression)) IS NOT MISSING").count == 1)
    }

    @Test func chainsKeepTheirMeaning() throws {
        let columns = [
            "1 - (2 - 3)", "1 - 2 - 3", "2 * (3 + 4)", "2 * 3 + 4", "8 / (4 / 2)", "NOT (1 = 2) = 1", "(NOT 1) = 2",
            "1 < 2 = 1", "1 = (2 < 1)", "(1 = 2) < 1", "TRUE OR FALSE AND FALSE", "(TRUE OR FALSE) AND FALSE",
            "NOT TRUE AND FALSE", "NOT (TRUE AND FALSE)", "- (1 + 2)", "1 - -2", "(1 OR 0) + 1", "'a' || (1 + 1)",
            "(1 BETWEEN 0 AND 2) AND 0", "(1 IN (1, 2)) = 0", "NOT 1 IN (1, 2)", "(1 IS NULL) IS NOT NULL",
        ]
        let text = columns.enumerated().map { "(\($1)) + 0 AS r\($0)" }.joined(separator: ", ")
        let row = try #require(try database.createQuery("SELECT \(text) FROM one").execute().next())
        #expect(
            columns.indices.map { row.int(at: $0) } == [
                2, -4, 14, 10, 4, 1, 0, 1, 0, 1, 1, 0, 0, 1, -3, 3, 2, 0, 0, 0, 0, 1,
            ])
    }

    private static func nested(_ front: String, _ core: String, _ back: String = ")") -> @Sendable (Int) -> String {
        { String(repeating: front, count: $0) + core + String(repeating: back, count: $0) }
    }

    /// Either it works, or the query's own error says that it is too deep.
    @Test(arguments: [
        nested("ABS(", "1"), nested("1 + ABS(", "1"), nested("(1 + ", "1"), nested("NOT (1 = 2 OR ", "1"),
        nested("(1 = 2 OR (2 = 2 AND ", "1", "))"), nested("1 IN (2, ", "1"), nested("CASE WHEN ", "1", " THEN 1 END"),
        nested("IFNULL(s, ", "1"), nested("[", "1", "]"), nested("{'k': ", "1", "}"), nested("- (", "1"),
        nested("EXISTS (SELECT 1 FROM one WHERE ", "1"),
    ])
    func deepNesting(make: @Sendable (Int) -> String) throws {
        for depth in [5, 8, 15, 25, 40, 70, 120, 190] {
            do { #expect(try rows("SELECT \(make(depth)) AS r FROM one").count == 1) } catch let error as StoreError {
                #expect(depth > 5)
                #expect(error.code == .invalidQuery)
                #expect(
                    error.message.hasPrefix("The query ") || error.message.hasPrefix("More than"), "\(error.message)")
            }
        }
    }

    @Test func aliasesAreNotWrittenOutWithoutEnd() throws {
        let long = "imax + '\(String(repeating: "x", count: 100_000))' AS a"
        let names = [String](repeating: "a", count: 1_000)
        for clause in ["WHERE 1 IN (\(names.joined(separator: ",")))", "ORDER BY \(names.joined(separator: ","))"] {
            let error = #expect(throws: StoreError.self) {
                try database.createQuery("SELECT \(long) FROM one \(clause)")
            }
            #expect(error?.message == "The query calls long columns by their aliases too often")
        }
        #expect(try rows("SELECT imax AS a FROM one WHERE 1 IN (\(names.joined(separator: ",")))") == [])
    }

    @Test(arguments: ["ORDER BY", "GROUP BY"]) func termsAreCounted(clause: String) throws {
        let terms = (0...2_000).map { "k + \($0)" }.joined(separator: ", ")
        let error = #expect(throws: StoreError.self) { try rows("SELECT k FROM mixed \(clause) \(terms)") }
        #expect(error?.code == .invalidQuery)
        #expect(error?.message == "More than 2000 terms of ORDER BY or GROUP BY")
    }

    /// No caller sees SQLite's own errors, with the names of tables that are not in the query.
    @Test(arguments: [
        "SELECT k FROM mixed ORDER BY -1", "SELECT k FROM mixed ORDER BY 0", "SELECT k FROM mixed ORDER BY 5",
        "SELECT k FROM mixed ORDER BY - 1", "SELECT k FROM mixed GROUP BY 7", "SELECT k FROM mixed GROUP BY 0",
        "SELECT k FROM mixed LIMIT META().id", "SELECT k FROM mixed LIMIT *", "SELECT k FROM mixed LIMIT mixed.*",
        "SELECT META().id AS n FROM mixed LIMIT n", "SELECT k FROM mixed OFFSET META().sequence",
        "SELECT k FROM mixed LIMIT (ANY x IN v SATISFIES x = 1 END)",
        "SELECT k FROM mixed LIMIT (EVERY x IN v SATISFIES x > 1 END)",
        "SELECT k FROM mixed ORDER BY COUNT(*)", "SELECT k FROM mixed ORDER BY SUM(k)",
        "SELECT ANY x IN v SATISFIES SUM(k) > 1 END FROM mixed",
    ])
    func whatSQLiteWouldRefuse(text: String) throws {
        let error = #expect(throws: StoreError.self) { try database.createQuery(text) }
        #expect(error?.code == .invalidQuery)
        #expect(error?.message.contains("s0") == false && error?.message.contains("SQLite") == false, "\(text)")
    }

    @Test func numbersAsKeys() throws {
        #expect(try rows("SELECT k, 0 - k FROM mixed ORDER BY 2 LIMIT 1") == [#"{"k":55,"$1":-55}"#])
        // A column that is a number is no column's number.
        #expect(try rows("SELECT 2 AS n, 0 - k AS m FROM mixed WHERE k < 2 ORDER BY n, k").first == #"{"n":2,"m":0}"#)
        #expect(try rows("SELECT 9 AS n, COUNT(*) AS c FROM mixed GROUP BY n") == [#"{"n":9,"c":56}"#])
    }

    /// Without a limit, the arrays of a join end the process once there is no memory left for them.
    @Test func arraysOfGroupsAreLimited() throws {
        let longTexts = try golden.collection("longtexts")
        let text = String(repeating: "x", count: 2 << 20)
        for id in ["a", "b", "c", "d", "e", "f"] {
            try longTexts.save(document: MutableDocument(id: id, data: ["text": text]))
        }
        #expect(try rows("SELECT ARRAY_LENGTH(ARRAY_AGG(text)) AS n FROM longtexts") == [#"{"n":6}"#])
        let joined = "SELECT ARRAY_LENGTH(ARRAY_AGG(x.text)) AS n FROM longtexts AS x CROSS JOIN longtexts AS y"
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try rows(joined) }
            #expect(error?.code == .invalidQuery)
            #expect(
                error?.message == "The query failed: ARRAY_AGG has more than 67108864 bytes of values.",
                "\(error?.message ?? "none")")
        }
        #expect(try rows("\(joined) WHERE y.text IS MISSING") == [#"{"n":0}"#])
    }

    /// The arrays and texts that a query makes of one document.
    @Test func whatAQueryMakesIsLimited() throws {
        let text = String(repeating: "x", count: 2 << 20)
        try golden.collection("longtexts").save(document: MutableDocument(id: "a", data: ["text": text]))
        let texts = [String](repeating: "text", count: 33)
        for (expression, reason) in [
            ("[\(texts.joined(separator: ", "))]", "An array or object has more than 67108864 bytes of values"),
            (
                "{'a': [\(texts.prefix(17).joined(separator: ", "))], 'b': [\(texts.prefix(17).joined(separator: ", "))]}",
                "An array or object has more than 67108864 bytes of values"
            ),
            (texts.prefix(11).joined(separator: " || "), "string too large"),
        ] {
            let error = #expect(throws: StoreError.self) { try rows("SELECT \(expression) AS r FROM longtexts") }
            #expect(error?.code == .invalidQuery)
            #expect(error?.context["reason"] == reason)
        }
        let length = "SELECT ARRAY_LENGTH([\(texts.prefix(31).joined(separator: ", "))]) AS n FROM longtexts"
        #expect(try rows(length) == [#"{"n":31}"#])
    }

    /// Thirty thousand million rows.
    private static let endless =
        "SELECT COUNT(*) FROM mixed AS a "
        + ["b", "c", "d", "e", "f"].map { "CROSS JOIN mixed AS \($0)" }.joined(separator: " ")

    @Test func aLimitOfTime() throws {
        let query = try database.createQuery(Self.endless)
        query.timeLimit = .milliseconds(50)
        let error = #expect(throws: StoreError.self) { try query.execute() }
        #expect(error?.code == .timedOut)
        // In a batch it is the writer's connection, which goes on.
        try database.inBatch {
            #expect(throws: StoreError.self) { try query.execute() }
            try golden.collection("one").save(document: MutableDocument(id: "new"))
        }
        #expect(try rows("SELECT META().id FROM one WHERE META().id = 'new'").count == 1)
        // Rows that are read meanwhile have the time that the query had when it began.
        query.timeLimit = nil
        let other = try database.createQuery("SELECT k FROM mixed")
        other.timeLimit = .seconds(3_600)
        #expect(try other.execute().readAll().count == 56)
    }
}
