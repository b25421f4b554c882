import GRDBSQLite

/// The values of the row that `step` has reached. Columns are counted from 0.
extension RawStatement {
    /// 0 for NULL.
    @inlinable package func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// The bits that were bound.
    @inlinable package func uint64(_ column: Int32) -> UInt64 { UInt64(bitPattern: int64(column)) }

    /// For numbers that are never below 0; a negative one, in a damaged file, becomes 0.
    @inlinable package func natural(_ column: Int32) -> UInt64 { UInt64(clamping: int64(column)) }

    @inlinable package func bool(_ column: Int32) -> Bool { int64(column) != 0 }

    @inlinable package func double(_ column: Int32) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(handle, column)
    }

    @inlinable package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// Empty for NULL. A NUL inside is kept as a character; invalid UTF-8 is repaired.
    @inlinable package func text(_ column: Int32) -> String {
        guard let text = sqlite3_column_text(handle, column) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: text, count: byteCount(column)), as: UTF8.self)
    }

    @inlinable package func textOrNil(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// Empty for NULL.
    @inlinable package func bytes(_ column: Int32) -> [UInt8] { Array(buffer(column)) }

    /// The column's bytes, valid until the next step.
    @inlinable package func buffer(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : byteCount(column))
    }

    /// Of a text or a blob.
    @inlinable package func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }
}
