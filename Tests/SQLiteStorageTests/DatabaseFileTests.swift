import DatabaseMigrations
import Foundation
import GRDB
import SQLiteStorage
import Testing

/// Connections, migrations and the log of a database file.
@Suite(.timeLimit(.minutes(1))) struct DatabaseFileTests {
    @Test func connectionsAreSetUp() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        var settings = ScratchDatabase.settings
        settings.pragmas = ["journal_size_limit = 12345", "cache_size = -77"]
        let pool = try settings.pool(scratch.path)
        func expectSettings(_ db: GRDB.Database) throws {
            for (pragma, value) in [
                ("secure_delete", 1), ("journal_size_limit", 12345), ("cache_size", -77),
            ] {
                let found = try Int.fetchOne(db, sql: "PRAGMA \(pragma)")
                #expect(found == value, "\(pragma)")
            }
        }
        try pool.writeWithoutTransaction { db in
            try expectSettings(db)
            let timeout = try Int.fetchOne(db, sql: "PRAGMA busy_timeout")
            #expect(timeout == 1000)
        }
        try pool.read(expectSettings)
        let reader = try settings.reader(scratch.path)
        try reader.read(expectSettings)
        #expect(throws: DatabaseError.self) { try reader.inDatabase { try $0.execute(sql: "CREATE TABLE items (id)") } }
        try reader.close()
        try pool.close()
    }

    @Test(arguments: [DatabaseMigrations.store, DatabaseMigrations.gateway]) func migrationsRunOnce(
        migrations: [Migration]
    ) throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        let pool = try ScratchDatabase.settings.pool(scratch.path)
        for count in [1, migrations.count, migrations.count] {
            try Schema(Array(migrations.prefix(count))).migrate(pool)
        }
        let names = try pool.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY 1") }
        #expect(names == migrations.map(\.name).sorted())
        try pool.close()
    }

    @Test func aNewerFileIsLeftAsItIs() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        let pool = try ScratchDatabase.settings.pool(scratch.path)
        try Schema(DatabaseMigrations.gateway).migrate(pool)
        #expect(throws: NewerSchema()) { try Schema(Array(DatabaseMigrations.gateway.prefix(1))).migrate(pool) }
        try Schema(DatabaseMigrations.gateway).migrate(pool)
        try pool.close()
    }

    @Test func theLogIsEmptiedUnlessSomebodyReadsAnOlderState() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        let pool = try ScratchDatabase.settings.pool(scratch.path)
        try pool.write { try $0.execute(sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, value UNIQUE)") }
        func emptyLog() throws -> Bool {
            try pool.writeWithoutTransaction { db in
                let isEmpty = try db.emptyLog(timeout: 1, busyTimeout: 4321)
                #expect(try Int.fetchOne(db, sql: "PRAGMA busy_timeout") == 4321)
                return isEmpty
            }
        }
        try pool.unsafeRead { db in
            try db.reading {
                let texts = try db.texts()
                #expect(texts.isEmpty)
                try pool.write { try $0.insert(id: 1, text: "a") }
                #expect(try !emptyLog())
            }
        }
        #expect(try emptyLog())
        let size = try FileManager.default.attributesOfItem(atPath: scratch.path + "-wal")[.size] as? Int
        #expect(size == 0)
        try pool.close()
    }

    @Test func whatIsNoDatabaseIsRefused() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        try Data(repeating: 0x61, count: 8192).write(to: URL(fileURLWithPath: scratch.path))
        let error = try #require(throws: DatabaseError.self) { _ = try ScratchDatabase.settings.pool(scratch.path) }
        #expect(error.resultCode == .SQLITE_NOTADB)
    }

    @Test func aDamagedPageIsAnErrorOfTheStatementThatReadsIt() throws {
        let scratch = try ScratchDatabase()
        defer { scratch.remove() }
        var pool = try ScratchDatabase.settings.pool(scratch.path)
        try pool.write { db in
            try db.execute(sql: "CREATE TABLE items (id INTEGER PRIMARY KEY, value UNIQUE)")
            for id in 1...1000 as ClosedRange<Int64> { try db.insert(id: id, text: "item \(id)") }
        }
        try pool.close()
        let file = URL(fileURLWithPath: scratch.path)
        var bytes = try Data(contentsOf: file)
        // All but the first page, which has the schema.
        bytes.replaceSubrange(4096..., with: Data(repeating: 0xa5, count: bytes.count - 4096))
        try bytes.write(to: file)
        pool = try ScratchDatabase.settings.pool(scratch.path)
        // Not in a transaction of GRDB's, which fails to end after it.
        try pool.unsafeRead { db in
            let error = try #require(throws: DatabaseError.self) { _ = try db.texts() }
            #expect(error.resultCode == .SQLITE_CORRUPT)
            #expect(try RawStatement("SELECT 1", db).first { $0.int64(0) } == 1)
        }
        try pool.close()
    }
}
