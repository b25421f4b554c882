import DatabaseMigrations
import DocumentValues
import GRDB
import SQLiteStorage

/// The file of a gateway database, looked at from outside: a gateway may be using it, and nothing in it is changed but by
/// `endSessions`.
struct DatabaseFile: Sendable {
    let path: String

    /// What SQLite looks at.
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
        /// What a check found first; `nil` where all is well.
        let problem: Problem?
        /// The last sequence that the file holds.
        let sequence: UInt64
    }

    /// - Throws: `DatabaseFileError`; the error of a full disk as it is.
    func examine(_ check: Check) throws -> Finding {
        try reading { queue in
            try queue.read { db in
                if let damage = try Self.damage(in: db, check: check) {
                    return Finding(problem: .damaged(damage), sequence: 0)
                }
                // How it says what it has, only that version knows.
                guard try !Schema(DatabaseMigrations.gateway).isNewer(db) else {
                    return Finding(problem: .newer, sequence: 0)
                }
                if let gap = try Self.gap(in: db) { return Finding(problem: .damaged(gap), sequence: 0) }
                return Finding(problem: nil, sequence: try SQLitePropertyRows(db: db).number(.lastSequence))
            }
        }
    }

    /// Writes the database as it is at one moment into a new file.
    ///
    /// - Throws: `DatabaseFileError`; the error of a full disk as it is.
    func copy(to target: String) throws {
        try reading { queue in
            // A statement of its own is a read transaction of its own, so writers neither wait nor tear the copy.
            try queue.writeWithoutTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [target]) }
        }
    }

    /// The users or the roles, by their names.
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

    /// Ends all sessions. Nobody else may use the file.
    ///
    /// - Throws: `DatabaseFileError`; the error of a full disk as it is.
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

    /// What no gateway can serve: a file that was emptied, or that lacks what every database has from the start.
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
        // SQLite before 3.41 looks for a NULL in the wrong column of a table without row ids; the column is never NULL.
        try String.fetchAll(db, sql: "PRAGMA \(check.rawValue)(20)")
            .first { $0 != "ok" && $0 != "NULL value in holdings.start" }
    }
}
