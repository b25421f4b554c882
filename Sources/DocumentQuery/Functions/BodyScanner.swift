import DocumentValues

/// Finds the value of a path in a document's bytes without reading the rest of it. The bytes were checked when they were
/// stored. In damaged bytes no value is found, and nothing outside of them is read.
package struct BodyScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// A path, prepared for the search.
    package struct Target: Sendable {
        enum Step: Sendable {
            case key([UInt8])
            case index(Int)
        }

        let steps: [Step]

        package init(_ path: QueryPath) {
            steps = path.steps.map {
                switch $0 {
                case .key(let name): .key(Array(name.utf8))
                case .index(let index): .index(index)
                }
            }
        }
    }

    /// The bytes of the value; `nil` if there is none.
    package mutating func find(_ target: Target) -> UnsafeBufferPointer<UInt8>? {
        skipSpace()
        for step in target.steps {
            let isThere =
                switch step {
                case .key(let key): enter(key)
                case .index(let index): enter(index)
                }
            guard isThere else { return nil }
        }
        let start = position
        guard skipValue() else { return nil }
        return UnsafeBufferPointer(rebasing: bytes[start..<position])
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    mutating func take(_ mark: UInt8) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == mark else { return false }
        position += 1
        return true
    }

    // MARK: Objects and arrays

    /// Moves to the value of a key.
    private mutating func enter(_ key: [UInt8]) -> Bool {
        guard take(UInt8(ascii: "{")), !take(UInt8(ascii: "}")) else { return false }
        repeat {
            skipSpace()
            let start = position
            guard let hasEscapes = skipString(), take(UInt8(ascii: ":")) else { return false }
            let isWanted = isKey(start, key: key, hasEscapes: hasEscapes)
            skipSpace()
            if isWanted { return true }
            guard skipValue() else { return false }
        } while take(UInt8(ascii: ","))
        return false
    }

    private func isKey(_ start: Int, key: [UInt8], hasEscapes: Bool) -> Bool {
        let first = start + 1
        if hasEscapes {
            var end = first
            while bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
            let text = BodyText.string(UnsafeBufferPointer(rebasing: bytes[start...end]))
            return text.map { Array($0.utf8) == key } ?? false
        }
        guard first + key.count < bytes.count, bytes[first + key.count] == UInt8(ascii: "\"") else { return false }
        for index in key.indices where bytes[first + index] != key[index] { return false }
        return true
    }

    /// Moves to an element; a negative index counts from the end.
    private mutating func enter(_ index: Int) -> Bool {
        guard take(UInt8(ascii: "[")), !take(UInt8(ascii: "]")) else { return false }
        var wanted = index
        if index < 0 {
            let start = position
            var count = 0
            repeat {
                guard skipValue() else { return false }
                count += 1
            } while take(UInt8(ascii: ","))
            position = start
            guard index >= -count else { return false }
            wanted = count + index
        }
        for _ in 0..<min(wanted, bytes.count) {
            guard skipValue(), take(UInt8(ascii: ",")) else { return false }
        }
        guard wanted < bytes.count else { return false }
        skipSpace()
        return true
    }

    /// Passes over an element, or a key with its value, and says where the value is.
    mutating func takeElement(isObject: Bool) -> Range<Int>? {
        if isObject {
            skipSpace()
            guard skipString() != nil, take(UInt8(ascii: ":")) else { return nil }
        }
        skipSpace()
        let start = position
        guard skipValue() else { return nil }
        return start..<position
    }

    // MARK: Passing over

    /// Passes over a string and says whether it has escapes; `nil` where there is none.
    private mutating func skipString() -> Bool? {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
        var index = position + 1
        var hasEscapes = false
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                return hasEscapes
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                index += 1
            }
            index += 1
        }
        return nil
    }

    private mutating func skipValue() -> Bool {
        skipSpace()
        guard position < bytes.count else { return false }
        switch bytes[position] {
        case UInt8(ascii: "\""): return skipString() != nil
        case UInt8(ascii: "{"), UInt8(ascii: "["): return skipContainer()
        default:
            let start = position
            while position < bytes.count {
                let byte = bytes[position]
                if byte == UInt8(ascii: ",") || byte | 0x20 == UInt8(ascii: "}") || byte <= 0x20 { break }
                position += 1
            }
            return position > start
        }
    }

    private mutating func skipContainer() -> Bool {
        var depth = 0
        while position < bytes.count {
            // `{` and `[`, `}` and `]` differ in one bit.
            switch bytes[position] | 0x20 {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 {
                    position += 1
                    return true
                }
            case UInt8(ascii: "\""):
                // 0x02 is no byte of JSON, so this is a quotation mark.
                guard skipString() != nil else { return false }
                continue
            default: break
            }
            position += 1
        }
        return false
    }
}

/// A scalar's bytes as a value.
package enum BodyText {
    package static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard case .string(let text)? = try? JSONValue(parsing: Array(bytes)) else { return nil }
        return text
    }

    package static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> QueryValue {
        guard let json = try? JSONValue(parsing: Array(bytes)) else { return .missing }
        return QueryValue(json)
    }
}

/// Goes through the elements of an array, or the values of an object; any other value is one element.
package struct ElementRanges {
    private enum State {
        case beginning
        case inside(isObject: Bool)
        case end
    }

    private var state = State.beginning
    private var position = 0
    /// The bytes of the element to which `advance` has moved.
    package private(set) var current = 0..<0

    package init() {}

    /// Whether there is another one. The bytes are the same each time.
    package mutating func advance(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { buffer in
            switch state {
            case .end: return false
            case .beginning: return begin(buffer)
            case .inside(let isObject):
                var scanner = BodyScanner(buffer, at: position)
                return go(&scanner, hasMore: scanner.take(UInt8(ascii: ",")), isObject: isObject)
            }
        }
    }

    private mutating func begin(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var scanner = BodyScanner(bytes)
        let isObject = scanner.take(UInt8(ascii: "{"))
        guard isObject || scanner.take(UInt8(ascii: "[")) else {
            state = .end
            current = bytes.startIndex..<bytes.endIndex
            return !bytes.isEmpty
        }
        let isEmpty = scanner.take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        return go(&scanner, hasMore: !isEmpty, isObject: isObject)
    }

    private mutating func go(_ scanner: inout BodyScanner, hasMore: Bool, isObject: Bool) -> Bool {
        guard hasMore, let range = scanner.takeElement(isObject: isObject) else {
            state = .end
            return false
        }
        state = .inside(isObject: isObject)
        position = range.upperBound
        current = range
        return true
    }
}
