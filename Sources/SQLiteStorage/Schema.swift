import DatabaseMigrations
import GRDB

/// The tables of a kind of database, as the migrations that make them.
package struct Schema: Sendable {
    private let migrations: [Migration]

    package init(_ migrations: [Migration]) { self.migrations = migrations }

    /// Runs the migrations that the file has not had.
    ///
    /// - Throws: `NewerSchema` where a newer version of the program has migrated the file; it is left as it is.
    package func migrate(_ pool: DatabasePool) throws {
        guard try !pool.read(isNewer) else { throw NewerSchema() }
        try migrator.migrate(pool)
    }

    /// The same in the transaction that is open, so that all of it is done or nothing.
    package func migrate(in db: Database) throws {
        guard try !isNewer(db) else { throw NewerSchema() }
        // The same table as that of the migrator, which has migrated older files.
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        let done = try migrator.appliedIdentifiers(db)
        for migration in migrations where !done.contains(migration.name) {
            try db.execute(sql: migration.sql)
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES (?)", arguments: [migration.name])
        }
    }

    /// What a new file has after all migrations.
    package func objects() throws -> [SchemaObject] {
        let memory = try DatabaseQueue()
        return try memory.write { db in
            try migrate(in: db)
            return try SchemaObject.all(db)
        }
    }

    /// Whether the file has had all migrations.
    ///
    /// - Throws: `NewerSchema` where it has had others.
    package func isComplete(_ db: Database) throws -> Bool {
        guard try !isNewer(db) else { throw NewerSchema() }
        return try migrator.hasCompletedMigrations(db)
    }

    /// Whether a newer version of the program has migrated the file.
    package func isNewer(_ db: Database) throws -> Bool { try migrator.hasBeenSuperseded(db) }

    private var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.name) { try $0.execute(sql: migration.sql) }
        }
        return migrator
    }
}

/// The file has migrations that this version of the program does not know.
package struct NewerSchema: Error, Hashable {
    package init() {}
}
