import DocumentQuery
import DocumentValues
import GRDBSQLite
import SQLiteStorage

/// A row of a query's results where SQLite has it, valid until the next one. Columns are counted from 0.
package struct QueryRow {
    private let statement: RawStatement

    init(_ statement: RawStatement) { self.statement = statement }

    /// `nil` for a value that is not a text.
    package func text(_ column: Int) -> String? {
        guard sqlite3_column_type(statement.handle, Int32(column)) == SQLITE_TEXT else { return nil }
        return statement.text(Int32(column))
    }

    /// `nil` for a value that is not a whole number; as ``JSONNumber/int64`` reads it.
    package func integer(_ column: Int) -> Int64? {
        switch sqlite3_column_type(statement.handle, Int32(column)) {
        case SQLITE_INTEGER: statement.int64(Int32(column))
        case SQLITE_FLOAT: NumberText.json(sqlite3_column_double(statement.handle, Int32(column))).int64
        default: nil
        }
    }
}

/// For layers that read many rows: no object is made for any of them.
extension Query {
    /// Calls `body` for each row of one state of the database. `body` must not call the database.
    package func forEachRow(_ body: (QueryRow) throws -> Void) throws {
        let core = try database().core()
        try translatingQueryErrors(path: core.path) {
            try core.snapshot { db in
                let (statement, _) = try prepare(db)
                try statement.forEachRow { try body(QueryRow($0)) }
            }
        }
    }
}
