import DocumentValues
import GRDB
import SQLiteStorage

/// Users and roles, read from a connection.
struct SQLitePrincipalRows: PrincipalRows {
    let db: Database

    /// - Parameter key: a user's name, or a role's with `role:` before it.
    func find(_ key: Name) throws -> StoredPrincipal? {
        let statement = try RawStatement(
            "SELECT sequence, is_deleted, state, password, session_generation FROM principals WHERE name = ?", db)
        statement.bind(1, to: key)
        return try statement.first { row in
            var principal = StoredPrincipal(key: key, sequence: row.uint64(0))
            principal.isDeleted = row.bool(1)
            do { try principal.read(state: JSONObject(parsing: row.bytes(2))) } catch {
                throw DamagedPrincipal(key: key)
            }
            principal.password = row.textOrNil(3)
            principal.sessionGeneration = row.int64(4)
            return principal
        }
    }

    /// The names, sorted; those of roles without their prefix.
    func names(roles: Bool, includingDeleted: Bool) throws -> [Name] {
        let statement = try RawStatement("SELECT name, is_deleted FROM principals ORDER BY name", db)
        var names: [Name] = []
        try statement.forEachRow { row in
            let principal = StoredPrincipal(key: row.name(0), sequence: 0)
            guard principal.isRole == roles, includingDeleted || !row.bool(1) else { return }
            names.append(principal.name)
        }
        return names
    }
}

/// Writes them in the transaction of a connection.
struct SQLitePrincipalWrites: PrincipalWrites {
    let db: Database

    func put(_ principal: StoredPrincipal) throws {
        let statement = try RawStatement("INSERT OR REPLACE INTO principals VALUES (?, ?, ?, ?, ?, ?)", db)
        statement.bind(1, to: principal.key)
        statement.bind(2, to: principal.sequence)
        statement.bind(3, to: principal.isDeleted)
        statement.bind(4, to: principal.state.description)
        statement.bind(5, to: principal.password)
        statement.bind(6, to: principal.sessionGeneration)
        try statement.run()
    }

    /// Erases the principal with all items that it holds or held.
    func erase(_ key: Name) throws {
        for sql in ["DELETE FROM principals WHERE name = ?", "DELETE FROM holdings WHERE principal = ?"] {
            let statement = try RawStatement(sql, db)
            statement.bind(1, to: key)
            try statement.run()
        }
    }
}
