import GRDBSQLite

/// Parameters are counted from 1. SQLite copies bound values.
extension RawStatement {
    @inlinable package func bind(_ index: Int32, to value: Int64) { sqlite3_bind_int64(handle, index, value) }

    /// Kept with the same bits, as `uint64` reads them.
    @inlinable package func bind(_ index: Int32, to value: UInt64) { bind(index, to: Int64(bitPattern: value)) }

    @inlinable package func bind(_ index: Int32, to value: Bool) { bind(index, to: value ? 1 as Int64 : 0) }

    @inlinable package func bind(_ index: Int32, to value: Int64?) {
        guard let value else { return bindNull(index) }
        bind(index, to: value)
    }

    @inlinable package func bind(_ index: Int32, to value: Double?) {
        guard let value else { return bindNull(index) }
        sqlite3_bind_double(handle, index, value)
    }

    @inlinable package func bind(_ index: Int32, to text: String) {
        var text = text
        text.withUTF8 { bindText(index, to: $0) }
    }

    @inlinable package func bind(_ index: Int32, to text: String?) {
        guard let text else { return bindNull(index) }
        bind(index, to: text)
    }

    /// UTF-8 bytes, stored as text so that SQLite's JSON functions take them.
    @inlinable package func bindText(_ index: Int32, to bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bindText(index, to: $0) }
    }

    @inlinable package func bindBlob(_ index: Int32, to bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { buffer in
            // An empty buffer may have no address, and SQLite would store NULL for it.
            if let base = buffer.baseAddress, !buffer.isEmpty {
                sqlite3_bind_blob64(handle, index, base, UInt64(buffer.count), Self.copied)
            } else {
                sqlite3_bind_zeroblob(handle, index, 0)
            }
        }
    }

    /// Binds a text for as long as `body` runs, without a copy of it.
    @inlinable package func lending<Value>(
        _ text: String, to index: Int32, body: () throws -> Value
    ) rethrows -> Value {
        var text = text
        return try text.withUTF8 { try lending($0, to: index, body: body) }
    }

    /// The same of UTF-8 bytes.
    @inlinable package func lending<Value>(
        _ bytes: [UInt8], to index: Int32, body: () throws -> Value
    ) rethrows -> Value {
        try bytes.withUnsafeBufferPointer { try lending($0, to: index, body: body) }
    }

    @inlinable func lending<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>, to index: Int32, body: () throws -> Value
    ) rethrows -> Value {
        bindText(index, to: bytes, release: nil)
        // The statement must not keep a pointer to the lent bytes.
        defer { bindNull(index) }
        return try body()
    }

    @inlinable package func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    @usableFromInline package func bindText(
        _ index: Int32, to bytes: UnsafeBufferPointer<UInt8>, release: sqlite3_destructor_type? = RawStatement.copied
    ) {
        bytes.withMemoryRebound(to: CChar.self) { characters in
            // As with blobs.
            guard let base = characters.baseAddress else {
                sqlite3_bind_text(handle, index, "", 0, Self.copied)
                return
            }
            sqlite3_bind_text64(handle, index, base, UInt64(characters.count), release, UInt8(SQLITE_UTF8))
        }
    }

    /// `SQLITE_TRANSIENT`, which C has as a cast that Swift does not import.
    @inlinable package static var copied: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
