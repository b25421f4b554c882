import Crypto
import DocumentValues
import GRDB
import SQLiteStorage

/// A session as it is handed out, once.
package struct NewSession: Sendable, Hashable {
    /// 40 hexadecimal digits: what the cookie holds.
    package let id: String
    package let user: Name
    /// Seconds since 1970.
    package let expires: Int64
}

/// A session as it is stored, under a keyed hash of its id.
struct Session: Sendable {
    let key: [UInt8]
    let user: Name
    var expires: Int64
    let lifetime: Int64
    let generation: Int64
    /// Ends with its first use.
    var isOneTime = false

    static func key(_ id: String, secret: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(id.utf8), using: SymmetricKey(data: secret)))
    }

    static func fetch(_ key: [UInt8], _ db: Database) throws -> Session? {
        let statement = try RawStatement(
            "SELECT user, expires, lifetime, generation, is_one_time FROM sessions WHERE id = ?", db)
        statement.bindBlob(1, key)
        return try statement.first {
            Session(
                key: key, user: $0.name(0), expires: $0.int64(1), lifetime: $0.int64(2), generation: $0.int64(3),
                isOneTime: $0.bool(4))
        }
    }

    func save(_ db: Database) throws {
        let statement = try RawStatement(
            """
            INSERT OR REPLACE INTO sessions (id, user, expires, lifetime, generation, is_one_time)
            VALUES (?, ?, ?, ?, ?, ?)
            """, db)
        statement.bindBlob(1, key)
        statement.bind(2, user)
        statement.bind(3, expires)
        statement.bind(4, lifetime)
        statement.bind(5, generation)
        statement.bind(6, isOneTime)
        try statement.run()
    }

    func delete(_ db: Database) throws {
        let statement = try RawStatement("DELETE FROM sessions WHERE id = ?", db)
        statement.bindBlob(1, key)
        try statement.run()
    }

    static func deleteAll(of user: Name, _ db: Database) throws {
        let statement = try RawStatement("DELETE FROM sessions WHERE user = ?", db)
        statement.bind(1, user)
        try statement.run()
    }

    /// More than a tenth of its lifetime has passed since it was made or renewed.
    func isDueForRenewal(now: Int64) -> Bool { expires - now < lifetime - lifetime / 10 }
}
