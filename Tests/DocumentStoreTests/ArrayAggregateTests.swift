import GRDB
import Testing

@testable import DocumentStore

/// How many bytes ARRAY_AGG may gather, with a limit of 1,000: each number takes 32.
struct ArrayAggregateTests {
    private func count(_ sql: String, in queue: DatabaseQueue) throws -> Int {
        try queue.inDatabase { db in
            let numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)"
            return try Row.fetchAll(db, sql: "\(numbers) \(sql)").count
        }
    }

    private static func queue() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.inDatabase { db in
            try ArrayAggregate.register(FunctionRegistry(connection: db.sqliteConnection), limit: 1_000)
        }
        return queue
    }

    @Test func groupsThatFollowEachOther() throws {
        let queue = try Self.queue()
        for _ in 0..<2 { #expect(try count("SELECT fb_array_agg(i) FROM n GROUP BY i / 10", in: queue) == 10) }
        #expect(try count("SELECT fb_array_agg(NULL) FROM n", in: queue) == 1)
    }

    @Test(arguments: [
        "SELECT fb_array_agg(i) FROM n", "SELECT fb_array_agg(i), fb_array_agg(i + 1) FROM n GROUP BY i / 20",
        "SELECT fb_array_agg('0123456789' || '0123456789') FROM n GROUP BY i / 25",
    ])
    func tooManyBytes(sql: String) throws {
        let queue = try Self.queue()
        let error = #expect(throws: DatabaseError.self) { try count(sql, in: queue) }
        #expect(error?.message == "ARRAY_AGG has more than 1000 bytes of values")
        // The room is free again.
        #expect(try count("SELECT fb_array_agg(i) FROM n WHERE i < 31", in: queue) == 1)
    }
}
