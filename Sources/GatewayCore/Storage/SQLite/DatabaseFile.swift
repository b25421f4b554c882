import DatabaseMigrations
import DocumentValues
import GRDB
import SQLiteStorage

/// The file of a gateway database, examined from outside: a gateway may be using it. Only `endSessions` changes it.
struct DatabaseFile: Sendable {
    let path: String

    /// SQLite's check, by the name of its pragma.
    enum Check: String, Sendable {
        case everything = "integrity_check"
        /// All but the indexes.
        case structure = "quick_check"
    }

    enum Problem: Sendable {
        case damaged(String)
        /// A newer version of the gateway has opened it.
        case newer
    }

    struct Finding: Sendable {
        /// The first problem that the check found; `nil` if there is none.
        let problem: Problem?
        /// The last sequence that the file holds.
        let sequence: UInt64
    }

    /// - Throws: `DatabaseFileError`; for a full disk, the original error.
    func examine(_ check: Check) throws -> Finding {
        try reading { queue in
            try queue.read { db in
                if let damage = try Self.damage(in: db, check: check) {
                    return Finding(problem: .damaged(damage), sequence: 0)
                }
                // Only that version knows its own format.
                guard try !Schema(DatabaseMigrations.gateway).isNewer(db) else {
                    return Finding(problem: .newer, sequence: 0)
                }
                if let gap = try Self.gap(in: db) { return Finding(problem: .damaged(gap), sequence: 0) }
                return Finding(problem: nil, sequence: try SQLitePropertyRows(db: db).number(.lastSequence))
            }
        }
    }

    /// Writes one state of the database to a new file.
    ///
    /// - Throws: `DatabaseFileError`; for a full disk, the original error.
    func copy(to target: String) throws {
        try reading { queue in
            // Outside of a transaction the statement is its own read transaction: writers do not wait for it, and the
            // copy is one state.
            try queue.writeWithoutTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [target]) }
        }
    }

    /// All users or all roles, by their names.
    ///
    /// - Throws: `DatabaseFileError`
    func principals(roles: Bool) throws -> [Name: StoredPrincipal] {
        try reading { queue in
            try queue.read { db in
                let principals = SQLitePrincipalRows(db: db)
                var found: [Name: StoredPrincipal] = [:]
                for name in try principals.names(roles: roles, includingDeleted: false) {
                    found[name] = try principals.find(roles ? StoredPrincipal.roleKey(name) : name)
                }
                return found
            }
        }
    }

    /// Ends all sessions. No other process may use the file.
    ///
    /// - Throws: `DatabaseFileError`; for a full disk, the original error.
    func endSessions() throws {
        do {
            let queue = try DatabaseQueue(path: path)
            try queue.write { db in if try db.tableExists("sessions") { try db.execute(sql: "DELETE FROM sessions") } }
            try queue.close()
        } catch {
            throw DatabaseFileError(error) ?? error
        }
    }

    private func reading<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let value = try body(queue)
            try queue.close()
            return value
        } catch {
            throw DatabaseFileError(error) ?? error
        }
    }

    /// The reason why no gateway can serve the file: it was emptied, or it lacks a part that every database has from
    /// the start.
    private static func gap(in db: Database) throws -> String? {
        guard try db.tableExists("properties") else { return "it is empty, or no database of a gateway" }
        do {
            let hasKey = try SQLitePropertyRows(db: db).bytes(.sessionKey) != nil
            let isComplete = try SQLiteReader(db: db).configuration() != nil && hasKey
            return isComplete ? nil : "it is not complete: it has no configuration"
        } catch let error as JSONError {
            return "its configuration cannot be read: \(error)"
        }
    }

    private static func damage(in db: Database, check: Check) throws -> String? {
        // In a table without row ids, SQLite before 3.41 looks for NULL in the wrong column; that column is never NULL.
        try String.fetchAll(db, sql: "PRAGMA \(check.rawValue)(20)")
            .first { $0 != "ok" && $0 != "NULL value in holdings.start" }
    }
}
