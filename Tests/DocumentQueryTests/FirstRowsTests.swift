import DocumentQuery
import DocumentStore
import DocumentValues
import SeededRandom
import Testing

/// ORDER BY with LIMIT has the rows that it has without a search for those that are not needed.
struct FirstRowsTests {
    private static let values = [
        "0", "1", "2", "2.0", "2.5", "-3", "1e2", "9007199254740992", "9007199254740993", "9007199254740993.0",
        "12345678901234567890", "0.1", "-0.0", "true", "false", "null", #""""#, #""a""#, #""ab""#, #""b\u0041""#,
        #""é""#,
        #""z\\""#, "[]", "[1]", "{}", #"{"a":1}"#,
    ]

    private struct Row {
        let index: Int
        let value: String?
        let key: QueryValue
        let isFitting: Bool
        var isRefused = false

        func withBody<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
            FirstRowsTests.body(value).withUnsafeBufferPointer(body)
        }
    }

    private static func body(_ value: String?) -> [UInt8] {
        Array((value.map { #"{"kind":"x","key":\#($0),"rest":"0123456789"}"# } ?? #"{"kind":"x"}"#).utf8)
    }

    private static func key(_ value: String?) throws -> QueryValue {
        try value.map { QueryValue(try JSONValue(parsing: $0)) } ?? .missing
    }

    /// A thousand texts of several megabytes would need gigabytes of memory.
    @Test(arguments: [(4_096, false), (4_097, true)]) func longTextsAreNotKept(length: Int, isLeftToSQLite: Bool) {
        var rows = FirstRows(
            FirstRowsOrder(path: QueryPath(keys: ["key"]), isDescending: false, count: 1, hasMoreTerms: false))
        let text = "\"\(String(repeating: "a", count: length))\""
        Self.body(text).withUnsafeBufferPointer { rows.note($0, sequence: 1) }
        let mayBeFirst = Self.body(#""b""#).withUnsafeBufferPointer { rows.mayHave($0) }
        #expect(mayBeFirst == isLeftToSQLite)
    }

    /// As SQLite goes through the rows: a row that is refused, or that does not fit the condition, is not noted.
    @Test(arguments: 0..<300) func noRowThatIsNeededIsRefused(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let isDescending = Bool.random(using: &random)
        let count = Int.random(in: 1...12, using: &random)
        let order = FirstRowsOrder(
            path: QueryPath(keys: ["key"]), isDescending: isDescending, count: count, hasMoreTerms: seed % 2 == 0)
        var rows = FirstRows(order)
        var fitting: [Row] = []
        let kinds = Self.values.shuffled(using: &random).prefix(Int.random(in: 1...26, using: &random))
        let all = try (0..<Int.random(in: 0...200, using: &random)).map { index in
            let value = Int.random(in: 0..<10, using: &random) == 0 ? nil : kinds.randomElement(using: &random)
            let isFitting = Int.random(in: 0..<3, using: &random) > 0
            return Row(index: index, value: value, key: try Self.key(value), isFitting: isFitting)
        }
        if seed % 3 == 0 {
            let start = all.count * 3 / 4
            for row in all[start...] where row.isFitting { row.withBody { rows.note($0, sequence: Int64(row.index)) } }
            rows.endSample(above: Int64(start - 1))
        }
        for var row in all {
            row.isRefused = row.withBody { !rows.mayHave($0) }
            guard row.isFitting else { continue }
            if !row.isRefused { row.withBody { rows.note($0, sequence: Int64(row.index)) } }
            fitting.append(row)
        }
        let sorted = fitting.sorted { left, right in
            let side = left.key.compared(to: right.key)
            return side == 0 ? left.index < right.index : isDescending ? side > 0 : side < 0
        }
        #expect(!sorted.prefix(count).contains { $0.isRefused })
    }

    @Test func mostRowsAreRefused() throws {
        var random = SeededGenerator(seed: 1)
        var rows = FirstRows(
            FirstRowsOrder(path: QueryPath(keys: ["key"]), isDescending: false, count: 10, hasMoreTerms: false))
        var refused = 0
        for number in 0..<10_000 {
            let body = Self.body("\(Int.random(in: 0..<1_000_000, using: &random))")
            body.withUnsafeBufferPointer { buffer in
                if rows.mayHave(buffer) { rows.note(buffer, sequence: Int64(number)) } else { refused += 1 }
            }
        }
        #expect(refused > 9_500)
    }

    /// Where each row comes before those that were there, nothing is gained by looking.
    @Test func itGivesUpWhereEachRowIsNeeded() {
        var rows = FirstRows(
            FirstRowsOrder(path: QueryPath(keys: ["key"]), isDescending: true, count: 3, hasMoreTerms: false))
        for number in 0..<1_000 {
            Self.body("\(number)").withUnsafeBufferPointer { rows.note($0, sequence: Int64(number)) }
        }
        #expect(Self.body("5").withUnsafeBufferPointer { rows.mayHave($0) })
    }
}

/// The same in a database.
struct FirstRowsQueryTests {
    private let golden: GoldenDatabase
    private let documents: DocumentStore.Collection

    init() throws {
        golden = try GoldenDatabase()
        documents = try golden.collection("sorted")
        var random = SeededGenerator(seed: 7)
        try golden.database.inBatch {
            for number in 0..<600 {
                let key: JSONValue? =
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: nil
                    case 1: .null
                    case 2: .bool(Bool.random(using: &random))
                    case 3: .string(RandomValues.texts.randomElement(using: &random) ?? "")
                    case 4: RandomValues.number(RandomValues.doubles.randomElement(using: &random) ?? "0")
                    case 5: .array([.int(number)])
                    default: .int(Int.random(in: 0..<100, using: &random))
                    }
                var members = [JSONObject.Member(key: "number", value: .int(number))]
                if let key { members.append(JSONObject.Member(key: "key", value: key)) }
                let body = JSONValue.object(JSONObject(members: members)).description
                try documents.save(document: MutableDocument(id: "\(number)", json: body))
            }
            for number in stride(from: 0, to: 600, by: 7) {
                if let document = try documents.document(id: "\(number)") { try documents.delete(document: document) }
            }
        }
    }

    private func rows(_ text: String) throws -> [String] {
        try golden.database.createQuery(text).execute().readAll().map { $0.toJSON() }
    }

    @Test(
        arguments: [
            "key", "key DESC", "key, number DESC", "key DESC, number", "sorted.key", "k", "k DESC, n",
            "key COLLATE NOCASE",
            "LOWER(key)", "number", "number DESC", "META().id", "not_there, number",
        ], ["", " WHERE number % 3 = 0", " WHERE key > 10", " WHERE key IS NOT MISSING"])
    func theFirstOfAll(order: String, condition: String) throws {
        let text = "SELECT key AS k, number AS n FROM sorted\(condition) ORDER BY \(order)"
        // Without a constant, SQLite sorts all rows.
        let all = try rows("\(text) LIMIT 100000")
        for (limit, offset) in [(1, 0), (5, 0), (20, 3), (100, 100), (1_000, 0), (5, 700)] {
            let some = try rows("\(text) LIMIT \(limit) OFFSET \(offset)")
            #expect(some == Array(all.dropFirst(offset).prefix(limit)), "LIMIT \(limit) OFFSET \(offset)")
        }
    }

    @Test(
        arguments: [
            ("SELECT number FROM sorted ORDER BY key LIMIT 10", true),
            ("SELECT number FROM sorted ORDER BY key DESC LIMIT 10 OFFSET 5", true),
            ("SELECT number AS key FROM sorted ORDER BY key LIMIT 10", true),
            ("SELECT number FROM sorted ORDER BY key", false),
            ("SELECT DISTINCT number FROM sorted ORDER BY key LIMIT 10", false),
            ("SELECT number FROM sorted ORDER BY META().id LIMIT 10", false),
            ("SELECT COUNT(*) FROM sorted GROUP BY key ORDER BY key LIMIT 10", false),
            ("SELECT number FROM sorted ORDER BY key LIMIT $n", false),
            ("SELECT COUNT(*) FROM sorted ORDER BY key LIMIT 10", false),
            ("SELECT number FROM sorted ORDER BY key LIMIT 5000", false),
            ("SELECT a.number FROM sorted AS a JOIN sorted AS b ON a.number = b.number ORDER BY a.key LIMIT 10", false),
            ("SELECT number FROM sorted WHERE REGEXP_LIKE(key, 'a') ORDER BY key LIMIT 10", false),
            (
                "SELECT number FROM sorted WHERE EXISTS (SELECT s.key FROM sorted AS s ORDER BY s.key LIMIT 1) LIMIT 10",
                false
            ),
            ("SELECT number FROM sorted ORDER BY key LIMIT 10 OFFSET 9223372036854775807", false),
        ] as [(String, Bool)])
    func whereItIsAsked(text: String, isAsked: Bool) throws {
        #expect(try golden.database.createQuery(text).explain().contains("fb_may_be_first") == isAsked)
    }

    /// An index has the rows in their order.
    @Test(arguments: ["key", "key, number", "number, key"]) func aPropertyThatIsIndexed(expressions: String) throws {
        try documents.createIndex(withName: "keys", config: ValueIndexConfiguration([expressions]))
        let text = "SELECT number FROM sorted ORDER BY key LIMIT 10"
        #expect(try !golden.database.createQuery(text).explain().contains("fb_may_be_first"))
        try documents.deleteIndex(forName: "keys")
        #expect(try golden.database.createQuery(text).explain().contains("fb_may_be_first"))
    }

    /// Runs with other values of parameters begin again, and so do those of a live query or inside of a batch.
    @Test func eachRunBeginsAgain() throws {
        let query = try golden.database.createQuery(
            "SELECT number FROM sorted WHERE number >= $from ORDER BY number LIMIT 3")
        for start in [500, 100, 400, 0] {
            query.parameters = Parameters().setInt(start, forName: "from")
            let expected = (start..<600).filter { $0 % 7 != 0 }.prefix(3).map { #"{"number":\#($0)}"# }
            #expect(try query.execute().readAll().map { $0.toJSON() } == expected)
            var rows: [String] = []
            try golden.database.inBatch { rows = try query.execute().readAll().map { $0.toJSON() } }
            #expect(rows == expected)
        }
    }
}

/// With so many documents that the newest are a sample.
struct FirstRowSampleTests {
    @Test(
        arguments: ["number", "number DESC", "other, number", "number DESC, other"],
        ["", " WHERE other > 3", " WHERE number < 100"])
    func theNewestAreLookedAtFirst(order: String, condition: String) throws {
        let golden = try GoldenDatabase()
        let documents = try golden.collection("many")
        try golden.database.inBatch {
            for number in 0..<1_200 {
                let json = #"{"number":\#(number * 7919 % 1_200),"other":\#(number % 10)}"#
                try documents.save(document: MutableDocument(id: "\(number)", json: json))
            }
            for number in stride(from: 1_190, to: 1_200, by: 3) { try documents.purge(id: "\(number)") }
        }
        func rows(_ limit: String) throws -> [String] {
            let text = "SELECT number, other FROM many\(condition) ORDER BY \(order) \(limit)"
            return try golden.database.createQuery(text).execute().readAll().map { $0.toJSON() }
        }
        let all = try rows("LIMIT 100000")
        for limit in [1, 5, 12, 13, 100] {
            #expect(try rows("LIMIT \(limit)") == Array(all.prefix(limit)))
            #expect(try rows("LIMIT \(limit) OFFSET 3") == Array(all.dropFirst(3).prefix(limit)))
        }
    }
}
