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
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.name) { try $0.execute(sql: migration.sql) }
        }
        guard try !pool.read(migrator.hasBeenSuperseded) else { throw NewerSchema() }
        try migrator.migrate(pool)
    }
}

/// The file has migrations that this version of the program does not know.
package struct NewerSchema: Error, Hashable {
    package init() {}
}
