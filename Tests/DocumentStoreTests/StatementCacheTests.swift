import GRDB
import SQLiteStorage
import Testing

@testable import DocumentStore

/// The statements that a connection keeps for the next query of the same text.
@Suite struct StatementCacheTests {
    private func statement(_ sql: String, _ db: GRDB.Database) throws -> RawStatement {
        try RawStatement(uncached: sql, db)
    }

    @Test func aStatementIsGivenAwayOnce() throws {
        try DatabaseQueue().read { db in
            var cache = StatementCache()
            let before = cache.take("SELECT 1")
            cache.keep(try statement("SELECT 1", db), sql: "SELECT 1")
            let others = [cache.take("SELECT 2"), cache.take("select 1")]
            let taken = cache.take("SELECT 1")
            let after = cache.take("SELECT 1")
            #expect(before == nil && others.allSatisfy { $0 == nil })
            #expect(try taken?.first { $0.int64(0) } == 1)
            #expect(after == nil, "who has it is alone with it")
        }
    }

    /// Two results of one query are read at a time.
    @Test func aTextMayHaveSeveral() throws {
        try DatabaseQueue().read { db in
            var cache = StatementCache()
            for _ in 0..<2 { cache.keep(try statement("SELECT 1", db), sql: "SELECT 1") }
            let taken = [cache.take("SELECT 1"), cache.take("SELECT 1"), cache.take("SELECT 1")]
            #expect(taken.map { $0 != nil } == [true, true, false])
        }
    }

    @Test func whatWasUsedLastStays() throws {
        try DatabaseQueue().read { db in
            var cache = StatementCache()
            let count = StoreLimits.cachedStatements
            for number in 0..<count { cache.keep(try statement("SELECT \(number)", db), sql: "SELECT \(number)") }
            // The first is used again, and so the second is the one that goes.
            let first = cache.take("SELECT 0")
            cache.keep(try #require(first), sql: "SELECT 0")
            cache.keep(try statement("SELECT -1", db), sql: "SELECT -1")
            for number in [0, 1, 2, count - 1, -1] {
                let isKept = cache.take("SELECT \(number)") != nil
                #expect(isKept == (number != 1), "\(number)")
            }
        }
    }

    /// A list of some thousand values is hardly ever the same again.
    @Test func whatIsVeryLargeIsNotKept() throws {
        try DatabaseQueue().read { db in
            var cache = StatementCache()
            let list = (0..<60_000).map { "\($0)" }.joined(separator: ",")
            let large = "SELECT 1 WHERE 1 IN (\(list))"
            try #require(large.utf8.count > StoreLimits.cachedStatementBytes / 4)
            cache.keep(try statement("SELECT 1", db), sql: "SELECT 1")
            cache.keep(try statement(large, db), sql: large)
            let taken = [cache.take(large), cache.take("SELECT 1")]
            #expect(taken.map { $0 != nil } == [false, true])
        }
    }

    @Test func allTogetherHaveALimit() throws {
        try DatabaseQueue().read { db in
            var cache = StatementCache()
            let padding = String(repeating: " ", count: StoreLimits.cachedStatementBytes / 12)
            // The statement has the text as well.
            let texts = (0..<10).map { "SELECT \($0)\(padding)" }
            for text in texts { cache.keep(try statement(text, db), sql: text) }
            var kept: [Bool] = []
            for text in texts { kept.append(cache.take(text) != nil) }
            #expect(kept.prefix(3).allSatisfy { !$0 } && kept[9] && kept.count { $0 } <= 6)
        }
    }
}
