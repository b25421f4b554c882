/// Goes through the elements of an array, the values of an object, or the only value that something else is.
package struct ElementRanges {
    private enum State {
        case beginning
        case inside(isObject: Bool)
        case end
    }

    private var state = State.beginning
    private var position = 0
    /// Of the element that `advance` came to.
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
