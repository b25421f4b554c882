import GRDB
import SQLiteStorage
import Testing

/// What is bound is what is read.
@Suite(.timeLimit(.minutes(1))) struct StatementValueTests {
    /// Stores what `bind` binds and reads it, with the type that SQLite gives it.
    private func stored<Value>(
        _ bind: (RawStatement) -> Void, read: (RawStatement) throws -> Value
    ) throws -> (type: String, value: Value) {
        var result: (String, Value)?
        try ScratchDatabase.withItems { db in
            let insert = try RawStatement("INSERT INTO items VALUES (1, ?1)", db)
            bind(insert)
            try insert.run()
            result = try RawStatement("SELECT value, typeof(value) FROM items", db).first { ($0.text(1), try read($0)) }
        }
        return try #require(result)
    }

    @Test(arguments: [0, 1, -1, .max, .min] as [Int64]) func integers(number: Int64) throws {
        #expect(try stored({ $0.bind(1, to: number) }, read: { $0.int64(0) }) == ("integer", number))
        #expect(try stored({ $0.bind(1, to: Optional(number)) }, read: { $0.int64(0) }) == ("integer", number))
    }

    @Test(arguments: [0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max]) func unsignedKeepTheirBits(
        number: UInt64
    ) throws {
        #expect(try stored({ $0.bind(1, to: number) }, read: { $0.uint64(0) }) == ("integer", number))
    }

    @Test func naturalNumbersAreNeverBelowZero() throws {
        #expect(try stored({ $0.bind(1, to: Int64(-5)) }, read: { $0.natural(0) }).value == 0)
        #expect(try stored({ $0.bind(1, to: Int64.max) }, read: { $0.natural(0) }).value == UInt64(Int64.max))
    }

    @Test(arguments: [true, false]) func booleans(flag: Bool) throws {
        #expect(try stored({ $0.bind(1, to: flag) }, read: { $0.bool(0) }) == ("integer", flag))
    }

    @Test(arguments: [0, -0.5, .pi, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude]) func doubles(
        number: Double
    ) throws {
        #expect(try stored({ $0.bind(1, to: number) }, read: { $0.double(0) }) == ("real", number))
    }

    /// SQLite has no such number.
    @Test func notANumberIsNull() throws {
        #expect(try stored({ $0.bind(1, to: Double.nan) }, read: { $0.double(0) }) == ("null", nil))
    }

    @Test(arguments: [
        "", "plain", "\0", "a\0b\0", "Größe", "\u{e9}", "e\u{301}", "👩🏽‍🚒", "\u{feff}mark",
        String(repeating: "ä", count: 70_000),
    ])
    func texts(text: String) throws {
        let asString = try stored({ $0.bind(1, to: text) }, read: { Array($0.text(0).utf8) })
        #expect(asString == ("text", Array(text.utf8)))
        let asBytes = try stored({ $0.bindText(1, to: Array(text.utf8)) }, read: { $0.bytes(0) })
        #expect(asBytes == ("text", Array(text.utf8)))
        #expect(try stored({ $0.bind(1, to: text) }, read: { $0.byteCount(0) }).value == text.utf8.count)
        #expect(try stored({ $0.bind(1, to: Optional(text)) }, read: { $0.textOrNil(0) }).value == text)
    }

    /// Swift takes the two for equal; the database compares bytes.
    @Test func textsThatLookAlikeAreTwo() throws {
        try ScratchDatabase.withItems { db in
            try db.insert(id: 1, text: "caf\u{e9}")
            try db.insert(id: 2, text: "cafe\u{301}")
            let query = try RawStatement("SELECT id FROM items WHERE value = ?1", db)
            query.bind(1, to: "cafe\u{301}")
            #expect(try query.all { $0.int64(0) } == [2])
        }
    }

    @Test func damagedTextIsRepaired() throws {
        #expect(try stored({ $0.bindText(1, to: [0x61, 0xff, 0x62]) }, read: { $0.text(0) }).value == "a\u{fffd}b")
        #expect(
            try stored({ $0.bindText(1, to: [0x61, 0xff, 0x62]) }, read: { $0.bytes(0) }).value == [0x61, 0xff, 0x62])
    }

    @Test(arguments: [[], [0], [0, 0xff, 0], Array(repeating: 7, count: 1 << 20)] as [[UInt8]]) func blobs(
        bytes: [UInt8]
    ) throws {
        #expect(try stored({ $0.bindBlob(1, to: bytes) }, read: { $0.bytes(0) }) == ("blob", bytes))
        #expect(try stored({ $0.bindBlob(1, to: bytes) }, read: { Array($0.buffer(0)) }).value == bytes)
        #expect(try stored({ $0.bindBlob(1, to: bytes) }, read: { $0.byteCount(0) }).value == bytes.count)
        #expect(try !stored({ $0.bindBlob(1, to: bytes) }, read: { $0.isNull(0) }).value)
    }

    @Test func nothingIsNull() throws {
        let binds: [(RawStatement) -> Void] = [
            { $0.bindNull(1) }, { $0.bind(1, to: Int64?.none) }, { $0.bind(1, to: Double?.none) },
            { $0.bind(1, to: String?.none) },
            { _ in },
        ]
        for bind in binds {
            let read = try stored(bind) { row in
                row.isNull(0) && row.int64(0) == 0 && row.double(0) == nil && row.text(0).isEmpty
                    && row.textOrNil(0) == nil && row.bytes(0).isEmpty && row.byteCount(0) == 0
            }
            #expect(read == ("null", true))
        }
    }

    @Test func whatIsTooLongIsAnError() throws {
        try ScratchDatabase.withItems { db in
            let insert = try RawStatement("INSERT INTO items VALUES (1, zeroblob(?1))", db)
            insert.bind(1, to: Int64(Int32.max))
            let error = try #require(throws: DatabaseError.self) { try insert.run() }
            #expect(error.resultCode == .SQLITE_TOOBIG)
            insert.bind(1, to: 10 as Int64)
            try insert.run()
        }
    }
}
