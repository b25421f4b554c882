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
