import GRDB
import SQLiteStorage
import Testing

@Suite(.timeLimit(.minutes(1))) struct TransactionTests {
    private struct Refusal: Error {}

    @Test func aWriteReturnsItsResult() throws {
        try ScratchDatabase.withItems { db in
            let count = try db.writing {
                try db.insert(id: 1, text: "a")
                return try db.texts().count
            }
            #expect(count == 1 && !db.isInsideTransaction)
        }
    }

    @Test func aWriteThatFailsIsUndone() throws {
        try ScratchDatabase.withItems { db in
            #expect(throws: Refusal.self) {
                try db.writing {
                    try db.insert(id: 1, text: "a")
                    throw Refusal()
                }
            }
            let texts = try db.texts()
            #expect(texts.isEmpty)
            #expect(!db.isInsideTransaction)
        }
    }

    @Test func aPartThatFailsIsUndoneAlone() throws {
        try ScratchDatabase.withItems { db in
            try db.writing {
                try db.insert(id: 1, text: "a")
                #expect(throws: Refusal.self) {
                    try db.savepoint {
                        try db.savepoint { try db.insert(id: 2, text: "b") }
                        throw Refusal()
                    }
                }
                try db.savepoint { try db.insert(id: 3, text: "c") }
            }
            let texts = try db.texts()
            #expect(texts == ["a", "c"])
        }
    }

    /// As with a full disk; a further write would be stored outside of any transaction.
    @Test func aTransactionThatSQLiteHasEndedIsNotCommitted() throws {
        try ScratchDatabase.withItems { db in
            let codes = codesAfterRollback(of: db)
            #expect(codes == [.SQLITE_ABORT, .SQLITE_ABORT])
            #expect(!db.isInsideTransaction)
            let texts = try db.texts()
            #expect(texts.isEmpty)
            try db.writing { try db.insert(id: 3, text: "c") }
            let later = try db.texts()
            #expect(later == ["c"])
        }
    }

    /// The errors of a part of a transaction that SQLite has ended, and of the transaction.
    private func codesAfterRollback(of db: Database) -> [ResultCode] {
        var codes: [ResultCode] = []
        do {
            try db.writing {
                try db.insert(id: 1, text: "a")
                try db.execute(sql: "ROLLBACK")
                do {
                    try db.savepoint { try db.insert(id: 2, text: "b") }
                } catch let error as DatabaseError {
                    codes.append(error.resultCode)
                }
            }
        } catch let error as DatabaseError {
            codes.append(error.resultCode)
        } catch {
            Issue.record(error)
        }
        return codes
    }

    @Test func aNilResultIsAResult() throws {
        try ScratchDatabase.withItems { db in
            let result: Int? = try db.writing { try db.savepoint { nil } }
            #expect(result == nil)
        }
    }

    /// All its statements see one state.
    @Test func aReadSeesNothingOfLaterWrites() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        let pool = try ScratchDatabase.settings.pool(scratch.path)
        try pool.write { try $0.execute(sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, value UNIQUE)") }
        try pool.unsafeRead { db in
            try db.reading {
                let texts = try db.texts()
                #expect(texts.isEmpty)
                try pool.write { try $0.insert(id: 1, text: "a") }
                let later = try db.texts()
                #expect(later.isEmpty)
            }
            let texts = try db.texts()
            #expect(texts == ["a"])
        }
        try pool.close()
    }
}
