import GRDB

/// A table, an index, a trigger or a view of a database.
package struct SchemaObject: Sendable {
    package let type: String
    package let name: String
    /// The table of an index or a trigger; the object itself else.
    package let table: String
    /// The statement that made it; `nil` for indexes that SQLite makes by itself.
    package let sql: String?

    /// All of a file, in the order in which they were made.
    package static func all(_ db: GRDB.Database) throws -> [SchemaObject] {
        try RawStatement("SELECT type, name, tbl_name, sql FROM sqlite_master", db).all { row in
            SchemaObject(
                type: row.text(0), name: row.text(1), table: row.text(2), sql: row.isNull(3) ? nil : row.text(3))
        }
    }

    /// The bytes of a statement without blanks and line breaks, in small letters: so two statements that differ only in
    /// their layout have the same.
    package static func essence(of sql: String) -> [UInt8] {
        sql.utf8.filter { !$0.isBlank }.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
