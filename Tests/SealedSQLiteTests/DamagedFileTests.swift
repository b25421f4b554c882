import Foundation
import GRDBSQLite
import SealedSQLite
import SodiumCrypto
import Testing

/// Crashes, and those who change the files without the key.
@Suite struct DamagedFileTests {
    private static let page = SealedFileLimits.pageSize
    private static let frame = 24 + page + SecretKey.sealingOverhead

    /// A database with `rows` commits in the log, as a crash leaves it; the connection is open.
    private func crashed(rows: Int) throws -> (ScratchFolder, KeyedFile, Connection) {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        let connection = try Connection(scratch.path)
        try connection.run("PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (x)")
        for row in 0..<rows { try connection.run("INSERT INTO t VALUES (\(row))") }
        return (scratch, keyed, connection)
    }

    private func count(_ scratch: ScratchFolder, _ name: String) throws -> String? {
        let keyed = try scratch.keyed(name)
        defer { withExtendedLifetime(keyed) {} }
        return try Connection(scratch.file(name)).text("SELECT count(*) FROM t")
    }

    @Test func theLogIsReadAgainAfterACrash() throws {
        let (scratch, keyed, connection) = try crashed(rows: 10)
        try scratch.copyAsAfterCrash(to: "copy")
        #expect(try count(scratch, "copy") == "10")
        withExtendedLifetime((keyed, connection)) {}
    }

    /// A page that a transaction writes twice is overwritten in the log, and its checksums are made again.
    @Test func aTransactionThatDoesNotFitIntoMemoryIsReadAgain() throws {
        let (scratch, keyed, connection) = try crashed(rows: 0)
        try connection.run("PRAGMA cache_size = 10; PRAGMA cache_spill = 10; BEGIN")
        for _ in 0..<5 {
            for _ in 0..<100 { try connection.run("INSERT INTO t VALUES (hex(randomblob(500)))") }
            try connection.run("UPDATE t SET x = x || 'a' WHERE rowid % 7 = 0")
        }
        try connection.run("COMMIT")
        try scratch.copyAsAfterCrash(to: "copy")
        #expect(try count(scratch, "copy") == "500")
        withExtendedLifetime((keyed, connection)) {}
    }

    @Test func aTornFrameEndsTheLog() throws {
        let (scratch, keyed, connection) = try crashed(rows: 10)
        try scratch.copyAsAfterCrash(to: "copy")
        var log = try scratch.bytes("copy-wal")
        // The last frame is the last row.
        for index in (log.count - 2000)..<log.count { log[index] = 0 }
        try scratch.write(log, to: "copy-wal")
        #expect(try count(scratch, "copy") == "9")
        withExtendedLifetime((keyed, connection)) {}
    }

    @Test func aLogThatIsCutOffEndsThere() throws {
        let (scratch, keyed, connection) = try crashed(rows: 10)
        try scratch.copyAsAfterCrash(to: "copy")
        let log = try scratch.bytes("copy-wal")
        try scratch.write(Array(log.dropLast(Self.frame + 100)), to: "copy-wal")
        #expect(try count(scratch, "copy") == "8")
        withExtendedLifetime((keyed, connection)) {}
    }

    /// Wherever in the last frame, which is the last row.
    @Test func aLogMayEndAnywhere() throws {
        let (scratch, keyed, connection) = try crashed(rows: 3)
        try scratch.copyAsAfterCrash(to: "copy")
        let copied = try scratch.keyed("copy")
        let log = try FileHandle(forWritingTo: scratch.folder.appendingPathComponent("copy-wal"))
        let length = try log.seekToEnd()
        var failed: [Int] = []
        for cut in 1...(24 + keyed.sealing.head.pageSize + SecretKey.sealingOverhead) {
            try log.truncate(atOffset: length - UInt64(cut))
            let kept = try? Connection(scratch.file("copy"), readsOnly: true).text("SELECT count(*) FROM t")
            if kept != "2" { failed.append(cut) }
        }
        #expect(failed.isEmpty)
        try log.close()
        withExtendedLifetime((keyed, connection, copied)) {}
    }

    @Test(arguments: [1, 20, SecretKey.sealingOverhead, SecretKey.sealingOverhead + 1, 500])
    func writingGoesOnBehindALogThatIsCutOff(cut: Int) throws {
        let (scratch, keyed, connection) = try crashed(rows: 3)
        try scratch.copyAsAfterCrash(to: "copy")
        try scratch.write(Array(try scratch.bytes("copy-wal").dropLast(cut)), to: "copy-wal")
        let copied = try scratch.keyed("copy")
        do {
            let again = try Connection(scratch.file("copy"))
            try again.run("INSERT INTO t VALUES (7), (8)")
            #expect(try again.text("PRAGMA integrity_check") == "ok")
        }
        #expect(try count(scratch, "copy") == "4")
        withExtendedLifetime((keyed, connection, copied)) {}
    }

    @Test(arguments: [0, 4, 8, 12, 16]) func aChangedFrameHeaderEndsTheLog(offset: Int) throws {
        let (scratch, keyed, connection) = try crashed(rows: 3)
        try scratch.copyAsAfterCrash(to: "copy")
        var log = try scratch.bytes("copy-wal")
        log[log.count - Self.frame + offset + 3] ^= 1
        try scratch.write(log, to: "copy-wal")
        #expect(try count(scratch, "copy") == "2")
        withExtendedLifetime((keyed, connection)) {}
    }

    @Test func aTornFirstPageIsReadFromTheLog() throws {
        let (scratch, keyed, connection) = try crashed(rows: 3)
        try scratch.copyAsAfterCrash(to: "copy")
        var file = try scratch.bytes("copy")
        for index in 2048..<Self.page { file[index] = 0xAA }
        try scratch.write(file, to: "copy")
        #expect(try count(scratch, "copy") == "3")
        withExtendedLifetime((keyed, connection)) {}
    }

    private func checkpointed() throws -> ScratchFolder {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        try Connection(scratch.path).run(
            "CREATE TABLE a (x); CREATE TABLE b (x); INSERT INTO a VALUES ('a'); INSERT INTO b VALUES ('b')")
        withExtendedLifetime(keyed) {}
        return scratch
    }

    private func failure(_ scratch: ScratchFolder, _ sql: String) throws -> CInt? {
        let keyed = try scratch.keyed("scratch.sqlite3")
        defer { withExtendedLifetime(keyed) {} }
        let connection = try Connection(scratch.path)
        do {
            _ = try connection.texts(sql)
            return nil
        } catch let failure as Connection.Failure { return failure.code }
    }

    @Test func pagesCannotBeSwapped() throws {
        let scratch = try checkpointed()
        #expect(try failure(scratch, "SELECT x FROM a") == nil)
        var file = try scratch.bytes()
        let (second, third) = (Array(file[Self.page..<(2 * Self.page)]), Array(file[(2 * Self.page)..<(3 * Self.page)]))
        file.replaceSubrange(Self.page..<(3 * Self.page), with: third + second)
        try scratch.write(file)
        #expect(try failure(scratch, "SELECT x FROM a") == SQLITE_CORRUPT)
    }

    @Test(arguments: [24, 100, page - 41, page - 40, page - 1, page, page + 1_000, 2 * page - 1])
    func aChangedByteIsFound(index: Int) throws {
        let scratch = try checkpointed()
        var file = try scratch.bytes()
        file[index] ^= 0x40
        try scratch.write(file)
        #expect(try failure(scratch, "SELECT x FROM a") == SQLITE_CORRUPT)
    }

    @Test func aPageOfZerosIsNoTable() throws {
        let scratch = try checkpointed()
        var file = try scratch.bytes()
        for index in Self.page..<(2 * Self.page) { file[index] = 0 }
        try scratch.write(file)
        #expect(try failure(scratch, "SELECT x FROM a").map { $0 & 0xFF } == SQLITE_CORRUPT)
    }

    @Test func pagesOfAnotherDatabaseWithTheSameKeyDoNotFit() throws {
        let scratch = try checkpointed()
        let other = try FileSealing(new: scratch.secret)
        try SealedDatabaseFile.make(scratch.file("other"), sealing: other)
        do {
            let keyed = try KeyedFile(scratch.file("other"), sealing: other)
            try Connection(scratch.file("other")).run("CREATE TABLE a (x); INSERT INTO a VALUES ('other')")
            withExtendedLifetime(keyed) {}
        }
        var file = try scratch.bytes()
        file.replaceSubrange(Self.page..<(2 * Self.page), with: try scratch.bytes("other")[Self.page..<(2 * Self.page)])
        try scratch.write(file)
        #expect(try failure(scratch, "SELECT x FROM a") == SQLITE_CORRUPT)
    }
}
