import DocumentValues

/// Finds the value of a path in a document's bytes without reading the rest of it. The bytes were checked when they were
/// stored; if they were damaged since, no value is found, and no byte outside the buffer is read.
///
/// A query without an index uses it for every document. To be fast it compares keys, and skips texts, several bytes at
/// a time.
package struct BodyScanner {
    let base: UnsafeRawPointer
    let count: Int
    var position = 0

    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes, at: 0) }

    init(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) {
        // An empty buffer may have no address. Then this one is not read either.
        base = bytes.baseAddress.map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        count = bytes.count
        self.position = position
    }

    /// A path, prepared for the search.
    package struct Target: Sendable {
        enum Step: Sendable {
            case key(SoughtKey)
            case index(Int)
        }

        let steps: [Step]
        /// All keys, one after the other. The steps refer to them by numbers, so that no key is retained for each
        /// document.
        let keyBytes: [UInt8]

        package init(_ path: QueryPath) {
            var bytes: [UInt8] = []
            steps = path.steps.map {
                switch $0 {
                case .key(let name):
                    bytes += name.utf8
                    return .key(SoughtKey(Array(name.utf8), end: bytes.count))
                case .index(let index): return .index(index)
                }
            }
            keyBytes = bytes
        }
    }

    /// The bytes of the value; `nil` if there is none.
    package mutating func find(_ target: Target) -> UnsafeBufferPointer<UInt8>? { find(target, hints: nil) }

    /// - Parameter hints: `KeyHint.count` of them, for the keys at the top of the document.
    @inline(__always) mutating func find(
        _ target: Target, hints: UnsafeMutablePointer<KeyHint>?
    ) -> UnsafeBufferPointer<UInt8>? {
        skipSpace()
        for index in 0..<target.steps.count {
            let isThere =
                switch target.steps[index] {
                case .key(let key): enter(key, of: target, hints: index == 0 ? hints : nil)
                case .index(let index): enter(index)
                }
            guard isThere else { return nil }
        }
        let start = position
        guard skipValue() else { return nil }
        return bytes(start..<position)
    }

    func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: (base + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.count)
    }

    /// Moves to an element; a negative index counts from the end.
    private mutating func enter(_ index: Int) -> Bool {
        guard take(UInt8(ascii: "[")), !take(UInt8(ascii: "]")) else { return false }
        var wanted = index
        if index < 0 {
            let start = position
            var number = 0
            repeat {
                guard skipValue() else { return false }
                number += 1
            } while take(UInt8(ascii: ","))
            position = start
            guard index >= -number else { return false }
            wanted = number + index
        }
        for _ in 0..<min(wanted, count) {
            guard skipValue(), take(UInt8(ascii: ",")) else { return false }
        }
        guard wanted < count else { return false }
        skipSpace()
        return true
    }

    /// Skips an element, or a key with its value, and returns the range of the value.
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
}
