import DocumentValues
import GRDB
import SQLiteStorage

/// Sessions, read from a connection.
struct SQLiteSessionRows: SessionRows {
    let db: Database

    func find(_ key: [UInt8]) throws -> Session? {
        let statement = try RawStatement(
            "SELECT user, expires, lifetime, generation, is_one_time FROM sessions WHERE id = ?", db)
        statement.bindBlob(1, to: key)
        return try statement.first {
            Session(
                key: key, user: $0.name(0), expires: $0.int64(1), lifetime: $0.int64(2), generation: $0.int64(3),
                isOneTime: $0.bool(4))
        }
    }
}

/// Writes them in the transaction of a connection.
struct SQLiteSessionWrites: SessionWrites {
    let db: Database

    func put(_ session: Session) throws {
        let statement = try RawStatement(
            """
            INSERT OR REPLACE INTO sessions (id, user, expires, lifetime, generation, is_one_time)
            VALUES (?, ?, ?, ?, ?, ?)
            """, db)
        statement.bindBlob(1, to: session.key)
        statement.bind(2, to: session.user)
        statement.bind(3, to: session.expires)
        statement.bind(4, to: session.lifetime)
        statement.bind(5, to: session.generation)
        statement.bind(6, to: session.isOneTime)
        try statement.run()
    }

    func delete(_ key: [UInt8]) throws {
        let statement = try RawStatement("DELETE FROM sessions WHERE id = ?", db)
        statement.bindBlob(1, to: key)
        try statement.run()
    }

    func deleteAll(of user: Name) throws {
        let statement = try RawStatement("DELETE FROM sessions WHERE user = ?", db)
        statement.bind(1, to: user)
        try statement.run()
    }

    /// Deletes the sessions that were made or renewed longest ago.
    ///
    /// - Returns: whether there were more than are left.
    func deleteOldest(of user: Name, leaving count: Int) throws -> Bool {
        let statement = try RawStatement(
            """
            DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions WHERE user = ? ORDER BY expires - lifetime DESC LIMIT -1 OFFSET ?
            )
            """, db)
        statement.bind(1, to: user)
        statement.bind(2, to: Int64(count))
        try statement.run()
        return db.changesCount > 0
    }

    /// - Parameter time: seconds since 1970.
    func deleteExpired(by time: Int64) throws {
        let statement = try RawStatement("DELETE FROM sessions WHERE expires <= ?", db)
        statement.bind(1, to: time)
        try statement.run()
    }
}
