extension [UInt8] {
    /// Whether a JSON text has more members and elements than so many, those inside others among them.
    ///
    /// It builds and checks nothing, and stops at the first value beyond the limit: so the cost of a text with many
    /// small values is known before it is parsed.
    package func hasMoreJSONValues(than limit: Int) -> Bool {
        // Each value has at least a digit and a comma.
        guard count > 2 * limit else { return false }
        return withUnsafeBufferPointer { bytes in
            var counter = ValueCounter(bytes)
            while counter.count <= limit { guard counter.step() else { return false } }
            return true
        }
    }
}

/// Counts the values of a text token by token: there is one behind each comma, and one behind the opening bracket of a
/// container that is not empty.
private struct ValueCounter {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var isOpened = false
    private(set) var count = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// False at the end.
    mutating func step() -> Bool {
        guard index < bytes.count else { return false }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: ","): count += 1
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            noteValue()
            isOpened = true
        case UInt8(ascii: "]"), UInt8(ascii: "}"): isOpened = false
        case UInt8(ascii: "\""):
            noteValue()
            skipString()
        case 0x20, 0x0A, 0x0D, 0x09: break
        default: noteValue()
        }
        return true
    }

    private mutating func noteValue() {
        if isOpened { count += 1 }
        isOpened = false
    }

    private mutating func skipString() {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
    }
}
