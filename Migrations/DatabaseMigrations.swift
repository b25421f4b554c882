/// One step of a database's schema.
public struct Migration: Sendable, Hashable {
    /// From 1, without gaps.
    public let number: Int
    /// The file's name without `.sql`; recorded in the database, so it is never changed once released.
    public let name: String
    /// One or more statements, run in one transaction.
    public let sql: String

    init(_ number: Int, name: String, sql: [UInt8]) {
        self.number = number
        self.name = name
        self.sql = String(decoding: sql, as: UTF8.self)
    }
}

/// The schema of each kind of database, as steps in their order. A released step is never edited: add another.
public enum DatabaseMigrations {}
