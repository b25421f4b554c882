import GRDB
import SQLiteStorage
import Testing

/// A statement is ready for the next time, however it ended.
@Suite(.timeLimit(.minutes(1))) struct StatementUseTests {
    @Test func oneStatementRunsAgainAndAgain() throws {
        try ScratchDatabase.withItems { db in
            let insert = try RawStatement("INSERT INTO items VALUES (?1, ?2)", db)
            for number in 1...5 as ClosedRange<Int64> {
                insert.bind(1, to: number)
                insert.bind(2, to: "item \(number)")
                try insert.run()
            }
            let texts = try db.texts()
            #expect(texts == (1...5).map { "item \($0)" })
        }
    }

    @Test func nothingStaysBoundFromAnEarlierUse() throws {
        try ScratchDatabase.withItems { db in
            let sql = "INSERT INTO items VALUES (?1, ?2)"
            try db.insert(id: 1, text: "secret")
            let insert = try RawStatement(sql, db)
            insert.bind(1, to: 2 as Int64)
            try insert.run()
            let texts = try db.texts()
            #expect(texts == ["secret", ""])
        }
    }

    @Test func anErrorSaysWhatItIsAndLeavesTheStatementReady() throws {
        try ScratchDatabase.withItems { db in
            try db.insert(id: 1, text: "one")
            let insert = try RawStatement("INSERT INTO items VALUES (?1, ?2)", db)
            insert.bind(1, to: 2 as Int64)
            insert.bind(2, to: "one")
            let error = try #require(throws: DatabaseError.self) { try insert.run() }
            #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
            #expect(error.message == "UNIQUE constraint failed: items.value")
            #expect(error.sql == nil, "statements and values are the user's data")
            insert.bind(2, to: "two")
            try insert.run()
            let texts = try db.texts()
            #expect(texts == ["one", "two"])
        }
    }

    @Test func aBadStatementIsAnError() throws {
        try ScratchDatabase.withItems { db in
            #expect(throws: DatabaseError.self) { _ = try RawStatement("SELECT nothing FROM nowhere", db) }
        }
    }

    @Test func rowsThatNobodyReadsAreAnError() throws {
        try ScratchDatabase.withItems { db in
            let query = try RawStatement("SELECT 1", db)
            #expect(throws: DatabaseError.self) { try query.run() }
            #expect(try query.all { $0.int64(0) } == [1], "it was reset")
        }
    }

    @Test func theFirstRowIsReadAndNoFurther() throws {
        try ScratchDatabase.withItems { db in
            let query = try RawStatement("SELECT value FROM items ORDER BY id", db)
            #expect(try query.first { $0.text(0) } == nil)
            try db.insert(id: 1, text: "a")
            try db.insert(id: 2, text: "b")
            #expect(try query.first { $0.text(0) } == "a")
            #expect(try query.first { $0.text(0) } == "a")
        }
    }

    @Test func aReaderThatThrowsEndsTheStatement() throws {
        struct Stop: Error {}
        try ScratchDatabase.withItems { db in
            try db.insert(id: 1, text: "a")
            try db.insert(id: 2, text: "b")
            let query = try RawStatement("SELECT value FROM items ORDER BY id", db)
            #expect(throws: Stop.self) { try query.forEachRow { _ in throw Stop() } }
            #expect(throws: Stop.self) { _ = try query.all { _ -> Int in throw Stop() } }
            #expect(throws: Stop.self) { _ = try query.first { _ -> Int in throw Stop() } }
            // A table cannot be removed while a statement reads it.
            try db.execute(sql: "DROP TABLE items")
        }
    }

    @Test func statementsMayBeNested() throws {
        try ScratchDatabase.withItems { db in
            for id in 1...3 as ClosedRange<Int64> { try db.insert(id: id, text: "\(id)") }
            var pairs: [String] = []
            try RawStatement("SELECT id, value FROM items ORDER BY id", db).forEachRow { row in
                let others = try RawStatement("SELECT value FROM items WHERE id > ?1 ORDER BY id", db)
                others.bind(1, to: row.int64(0))
                try others.forEachRow { pairs.append(row.text(1) + $0.text(0)) }
            }
            #expect(pairs == ["12", "13", "23"])
        }
    }

    /// GRDB drops its cached statements then.
    @Test func itOutlivesAChangeOfTheSchema() throws {
        try ScratchDatabase.withItems { db in
            try db.insert(id: 1, text: "a")
            let query = try RawStatement("SELECT value FROM items", db)
            #expect(try query.first { $0.text(0) } == "a")
            try db.execute(sql: "CREATE TABLE others (id INTEGER PRIMARY KEY)")
            for number in 0..<100 { _ = try db.makeStatement(sql: "SELECT \(number)") }
            #expect(try query.first { $0.text(0) } == "a")
        }
    }

    @Test func aFullDiskIsAnErrorAndUndoesTheTransaction() throws {
        try ScratchDatabase.withItems { db in
            try db.insert(id: 1, text: "before")
            try db.execute(sql: "PRAGMA max_page_count = 1")
            let insert = try RawStatement("INSERT INTO items VALUES (?1, ?2)", db)
            let error = try #require(throws: DatabaseError.self) {
                try db.writing {
                    try db.insert(id: 2, text: "small")
                    insert.bind(1, to: 3 as Int64)
                    insert.bindBlob(2, to: Array(repeating: 1, count: 1 << 16))
                    try insert.run()
                }
            }
            #expect(error.resultCode == .SQLITE_FULL)
            let texts = try db.texts()
            #expect(texts == ["before"])
            try db.execute(sql: "PRAGMA max_page_count = 1000")
            insert.bind(1, to: 3 as Int64)
            try insert.run()
        }
    }
}
