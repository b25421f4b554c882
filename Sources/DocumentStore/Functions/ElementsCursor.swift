import DocumentQuery
import GRDBSQLite

/// Where a statement is in the elements of a value. It has a copy of the value's bytes: SQLite's own may go with the row.
final class ElementsCursor {
    private var bytes: [UInt8] = []
    private var elements = ElementRanges()
    /// A value that is no JSON: the only element.
    private var single: QueryValue?
    private(set) var number: Int64 = 0
    private(set) var isAtEnd = true

    // MARK: As SQLite has it

    /// SQLite's part comes first, so that a pointer to the whole is one to it.
    private struct Memory {
        var base: sqlite3_vtab_cursor
        var cursor: Unmanaged<ElementsCursor>
    }

    static func make() -> UnsafeMutablePointer<sqlite3_vtab_cursor> {
        let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
        memory.initialize(to: Memory(base: sqlite3_vtab_cursor(), cursor: .passRetained(ElementsCursor())))
        return UnsafeMutableRawPointer(memory).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    }

    static func of(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> ElementsCursor {
        UnsafeMutableRawPointer(pointer!).assumingMemoryBound(to: Memory.self).pointee.cursor.takeUnretainedValue()
    }

    static func release(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) {
        guard let pointer else { return }
        let memory = UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Memory.self)
        memory.pointee.cursor.release()
        memory.deallocate()
    }

    // MARK: Elements

    /// - Parameter values: the document or value, and the path.
    /// - Throws: `WorkEnded`.
    func begin(_ values: UnsafeMutablePointer<OpaquePointer?>?, meter: WorkMeter) throws {
        bytes = []
        single = nil
        number = 0
        isAtEnd = true
        guard let values else { return }
        // They are copied, gone through for the value, and gone through for its elements.
        try meter.count(SQLValue.size(of: CollectionOfOne(values[0])) * 3)
        if sqlite3_value_type(values[1]) == SQLITE_NULL {
            beginValue(values[0])
        } else if sqlite3_value_type(values[0]) == SQLITE_TEXT {
            var scanner = BodyScanner(SQLValue.bytes(text: values[0]))
            guard let found = scanner.find(BodyScanner.Target(QueryPath(written: SQLValue.bytes(text: values[1]))))
            else { return }
            bytes = Array(found)
        }
        guard !bytes.isEmpty else { return }
        elements = ElementRanges()
        isAtEnd = !elements.advance(bytes)
    }

    private func beginValue(_ value: OpaquePointer?) {
        if sqlite3_value_type(value) == SQLITE_BLOB, case let blob = SQLValue.bytes(value),
            blob.count > QueryValue.containerPrefix
        {
            bytes = Array(blob[QueryValue.containerPrefix...])
        } else {
            let read = SQLValue.read(value)
            single = read
            isAtEnd = read.isMissing
        }
    }

    func advance() {
        number += 1
        isAtEnd = single != nil || !elements.advance(bytes)
    }

    /// Whether one of the elements from here on is equal to the value.
    ///
    /// - Throws: `WorkEnded`; `FunctionError` for an element that is larger than a value may be.
    func contains(_ wanted: WantedValue) throws -> Bool {
        while !isAtEnd {
            if try wanted.isEqual(to: element) { return true }
            advance()
        }
        return false
    }

    private var element: QueryValue {
        single ?? bytes[elements.current].withUnsafeBufferPointer { BodyText.value($0) }
    }

    /// - Throws: `WorkEnded`.
    func set(_ result: SQLResult, meter: WorkMeter) throws {
        if elements.current.count > QueryLimits.uncounted {
            try meter.count(elements.current.count * QueryLimits.unitsOfJSON)
        }
        if let single { return result.set(single) }
        bytes[elements.current].withUnsafeBufferPointer { BodyValue(bytes: $0).set(result, use: .operand) }
    }
}
