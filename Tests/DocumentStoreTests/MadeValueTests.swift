import DocumentQuery
import GRDB
import Testing

@testable import DocumentStore

/// How many bytes the values of an array or an object may have, with a limit of 1,000: each value takes 32 more.
struct MadeValueTests {
    private static func queue() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.inDatabase { db in
            let registry = FunctionRegistry(connection: db.sqliteConnection, work: ConnectionWork(limit: 1_000))
            try ValueFunctions.register(registry)
        }
        return queue
    }

    private static func values(_ count: Int) -> String {
        [String](repeating: "'\(String(repeating: "x", count: 300))'", count: count).joined(separator: ", ")
    }

    @Test(arguments: [
        "fb_array(\(values(4)))", "fb_array(fb_array(\(values(2))), fb_array(\(values(2))))",
        "fb_joined(fb_array(\(values(2))), fb_array(\(values(2))))",
        "fb_object('a', fb_array(\(values(2))), 'b', fb_array(\(values(2))))",
        "fb_array(\([String](repeating: "1", count: 32).joined(separator: ", ")))",
    ])
    func tooManyBytes(call: String) throws {
        let queue = try Self.queue()
        let error = #expect(throws: DatabaseError.self) {
            try queue.inDatabase { db in try Row.fetchOne(db, sql: "SELECT \(call)") }
        }
        #expect(error?.message == "An array or object has more than 1000 bytes of values")
    }

    @Test(arguments: [
        "fb_array(\(values(3)))", "fb_array()", "fb_object()", "fb_object('a', \(values(1)), 'b', \(values(1)))",
        "fb_array(\([String](repeating: "1", count: 31).joined(separator: ", ")))",
    ])
    func fewerBytes(call: String) throws {
        let size = try Self.queue().inDatabase { db in try Int.fetchOne(db, sql: "SELECT length(\(call))") }
        #expect(try #require(size) > QueryValue.containerPrefix)
    }
}
