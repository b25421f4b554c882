import Foundation
import GRDBSQLite
import SealedSQLite
import SodiumCrypto
import Testing

/// SQLite over sealed files: what it sees, and what the disk has.
@Suite struct SealedDatabaseTests {
    private static let marker = ScratchFolder.marker
    private static let fill = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "

    @Test func whatIsStoredIsReadAgainAndNeverPlain() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        do {
            let connection = try Connection(scratch.path)
            #expect(try connection.text("PRAGMA journal_mode") == "wal")
            try connection.run("CREATE TABLE t (x); INSERT INTO t VALUES ('\(Self.marker)')")
            #expect(try scratch.files().isEmpty, "the log is sealed")
            #expect(FileManager.default.fileExists(atPath: scratch.path + "-wal"))
            try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
            #expect(try scratch.files().isEmpty)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "-wal"))
        #expect(try scratch.files(with: "SQLite format").isEmpty && scratch.files(with: "CREATE TABLE").isEmpty)
        #expect(try Connection(scratch.path).texts("SELECT x FROM t") == [Self.marker])
        withExtendedLifetime(keyed) {}
    }

    @Test func anotherConnectionSeesCommits() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        let (first, second) = (try Connection(scratch.path), try Connection(scratch.path))
        try first.run("CREATE TABLE t (x)")
        for number in 1...50 {
            try (number % 2 == 0 ? first : second).run("INSERT INTO t VALUES (\(number))")
            #expect(try (number % 2 == 0 ? second : first).text("SELECT max(x) FROM t") == "\(number)")
        }
        withExtendedLifetime(keyed) {}
    }

    /// A connection opens the log with the first query.
    @Test func aConnectionGoesOnWhenNoMoreMayBeOpened() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        let (first, second) = (try Connection(scratch.path), try Connection(scratch.path))
        try first.run("CREATE TABLE t (x); INSERT INTO t VALUES ('\(Self.marker)')")
        _ = try second.text("PRAGMA page_count")
        let third = try Connection(scratch.path)
        // It has the database open, and not the log yet.
        try third.run("PRAGMA cache_size = 10")
        keyed.end()
        for connection in [first, second, third] {
            #expect(try connection.text("SELECT x FROM t") == Self.marker)
            try connection.run("INSERT INTO t VALUES ('\(Self.marker)')")
        }
        #expect(try scratch.files().isEmpty)
        #expect(throws: Connection.Failure.self) { try Connection(scratch.path).run("SELECT x FROM t") }
    }

    @Test func aDatabaseWithoutItsKeyIsNone() throws {
        let scratch = try ScratchFolder()
        do {
            let keyed = try scratch.make()
            try Connection(scratch.path).run("CREATE TABLE t (x)")
            withExtendedLifetime(keyed) {}
        }
        let failure = #expect(throws: Connection.Failure.self) {
            try Connection(scratch.path).run("SELECT * FROM t")
        }
        #expect(failure?.code == SQLITE_NOTADB)
    }

    @Test func largeWorkLeavesNothingPlain() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        let connection = try Connection(scratch.path)
        try connection.run("PRAGMA cache_size = 20; CREATE TABLE t (id INTEGER PRIMARY KEY, x, y)")
        let row = "'\(Self.marker)' || i, hex(randomblob(200))"
        try connection.run("INSERT INTO t (x, y) \(Self.fill) SELECT \(row) FROM n")
        // Sorts, materialised tables, and statements that are undone do not fit into memory.
        let sorted = try connection.texts("SELECT x FROM t ORDER BY y DESC, x")
        #expect(Set(sorted).count == 2000)
        try connection.run("CREATE TEMP TABLE copy AS SELECT x, y FROM t; CREATE INDEX temp.byY ON copy (y)")
        #expect(try connection.text("SELECT count(*) FROM copy JOIN t USING (y)") == "2000")
        try connection.run("BEGIN; SAVEPOINT s; UPDATE t SET y = x || y, x = 'gone'; ROLLBACK TO s; COMMIT")
        #expect(try connection.text("SELECT count(*) FROM t WHERE x LIKE '\(Self.marker)%'") == "2000")
        try connection.run("DELETE FROM t WHERE id % 2; VACUUM")
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        #expect(try connection.text("SELECT count(*) FROM t") == "1000")
        #expect(try scratch.files().isEmpty)
        withExtendedLifetime(keyed) {}
    }

    @Test func statementsOfOtherDatabasesGoOnAsBefore() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        do {
            let plain = try Connection(scratch.file("plain"))
            try plain.run("CREATE TABLE t (x); INSERT INTO t VALUES ('\(Self.marker)')")
            // A rollback journal, a sort and a copy.
            try plain.run("INSERT INTO t \(Self.fill) SELECT hex(randomblob(500)) FROM n; VACUUM")
            #expect(try plain.texts("SELECT x FROM t ORDER BY x").count == 2001)
        }
        #expect(try scratch.files() == ["plain"])
        withExtendedLifetime(keyed) {}
    }

    @Test func aRollbackJournalIsRefused() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        let connection = try Connection(scratch.path)
        try connection.run("CREATE TABLE t (x)")
        #expect(throws: Connection.Failure.self) {
            try connection.run("PRAGMA journal_mode = DELETE; INSERT INTO t VALUES (1)")
        }
        withExtendedLifetime(keyed) {}
    }

    @Test func memoryIsNotMapped() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        let connection = try Connection(scratch.path)
        try connection.run("PRAGMA mmap_size = 1000000; CREATE TABLE t (x); INSERT INTO t VALUES (7)")
        try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try Connection(scratch.path).text("SELECT x FROM t") == "7")
        withExtendedLifetime(keyed) {}
    }

    @Test func aPlainDatabaseIsConvertedAndBack() throws {
        let scratch = try ScratchFolder()
        do {
            let plain = try Connection(scratch.file("plain"))
            try plain.run("PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
            try plain.run("INSERT INTO t (x) \(Self.fill) SELECT '\(Self.marker)' || hex(randomblob(500)) FROM n")
            let draft = try KeyedFile(scratch.path, sealing: FileSealing(new: scratch.secret, isDraft: true))
            // `VACUUM INTO` does not read which pages the file has. The pragma forgets the reserved bytes.
            try plain.run("PRAGMA page_size = \(SealedFileLimits.pageSize)")
            plain.reserve(CInt(SecretKey.sealingOverhead))
            try plain.run("VACUUM INTO '\(scratch.path)'")
            #expect(try scratch.files().allSatisfy { $0.hasPrefix("plain") })
            withExtendedLifetime(draft) {}
        }
        let keyed = try scratch.keyed("scratch.sqlite3")
        do {
            let sealed = try Connection(scratch.path)
            #expect(try sealed.text("PRAGMA journal_mode") == "wal")
            #expect(try sealed.text("PRAGMA integrity_check") == "ok")
            #expect(try sealed.text("SELECT count(*) FROM t WHERE x LIKE '\(Self.marker)%'") == "2000")
            try sealed.run("VACUUM INTO '\(scratch.file("again"))'")
        }
        let again = try Connection(scratch.file("again"))
        #expect(try again.text("PRAGMA integrity_check") == "ok")
        #expect(try again.text("SELECT count(*) FROM t WHERE x LIKE '\(Self.marker)%'") == "2000")
        withExtendedLifetime(keyed) {}
    }

    @Test func aGrowingFileMayHaveGaps() throws {
        let scratch = try ScratchFolder()
        let keyed = try scratch.make()
        let connection = try Connection(scratch.path)
        // Pages that a transaction takes and frees again are never written.
        try connection.run("PRAGMA secure_delete = OFF; CREATE TABLE a (x); CREATE TABLE b (x)")
        try connection.run("BEGIN; INSERT INTO a \(Self.fill) SELECT randomblob(3000) FROM n; DELETE FROM a;")
        try connection.run("INSERT INTO b VALUES (zeroblob(200000)); COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        try connection.run("INSERT INTO a \(Self.fill) SELECT randomblob(3000) FROM n")
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        withExtendedLifetime(keyed) {}
    }
}
