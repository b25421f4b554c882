import DatabaseMigrations
import DocumentValues
import GRDB
import SQLiteStorage

/// The SQLite file of a gateway database.
struct SQLiteFile: DatabaseFile {
    let path: String

    /// Waits as long as an administrator does who has typed the command.
    private static let connections = ConnectionSettings(busyTimeout: 10, readers: 1)

    /// Bytes that the disk of a folder has left; `nil` if the system does not report them.
    static func freeSpace(at folder: String) -> Int? { FreeSpace.bytes(at: folder) }

    func examine(_ check: FileCheck) throws -> FileFinding {
        try reading { queue in
            try queue.read { db in
                if let damage = try Self.damage(in: db, check: check) {
                    return FileFinding(problem: .damaged(damage), sequence: 0)
                }
                // Only that version knows its own format.
                guard try !Schema(DatabaseMigrations.gateway).isNewer(db) else {
                    return FileFinding(problem: .newer, sequence: 0)
                }
                if let gap = try Self.gap(in: db) { return FileFinding(problem: .damaged(gap), sequence: 0) }
                do {
                    return FileFinding(problem: nil, sequence: try SQLitePropertyRows(db: db).number(.lastSequence))
                } catch let error as GatewayError {
                    return FileFinding(problem: .damaged(error.reason), sequence: 0)
                }
            }
        }
    }

    func copy(to target: String) throws {
        try reading { queue in
            // Outside of a transaction the statement is its own read transaction: writers do not wait for it, and the
            // copy is one state.
            try queue.writeWithoutTransaction { db in
                try db.vacuuming { try db.execute(sql: "VACUUM INTO ?", arguments: [target]) }
            }
        }
    }

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

    func endSessions() throws {
        try using(opening: Self.connections.queue) { queue in
            try queue.write { db in if try db.tableExists("sessions") { try db.execute(sql: "DELETE FROM sessions") } }
        }
    }

    private func reading<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
        try using(opening: Self.connections.reader, body)
    }

    private func using<Value>(
        opening open: (_ path: String) throws -> DatabaseQueue, _ body: (DatabaseQueue) throws -> Value
    ) throws -> Value {
        do {
            let queue = try open(path)
            let value = try body(queue)
            try queue.close()
            return value
        } catch {
            guard let failure = StorageFailure(error), failure.kind != .fullDisk else { throw error }
            throw failure
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

    private static func damage(in db: Database, check: FileCheck) throws -> String? {
        let pragma =
            switch check {
            case .everything: "integrity_check"
            case .structure: "quick_check"
            }
        // In a table without row ids, SQLite before 3.41 looks for NULL in the wrong column; that column is never NULL.
        return try String.fetchAll(db, sql: "PRAGMA \(pragma)(20)")
            .first { $0 != "ok" && $0 != "NULL value in holdings.start" }
    }
}
