/// Finds names that occur twice in one object, at any depth, while a text is skipped.
///
/// Readers differ in which of the values they take, so that a checked value might not be the one that is read later.
/// Every document that is pushed, pulled or put is scanned, some of them twice, so it must be fast: a name costs a few
/// dozen instructions here.
struct RepeatedKeys {
    private struct Key {
        /// Where it is, without the quotation marks.
        let range: Range<Int>
        let mark: UInt64
    }

    private struct OpenObject {
        /// The index of its first name.
        let start: Int
        /// The same name may be written in more than one way.
        var hasEscapes = false
    }

    /// Comparing up to so many names with each other is faster than sorting them.
    private static let fewKeys = 16

    private let bytes: UnsafeBufferPointer<UInt8>
    /// Of all open objects, the outer ones first.
    private var keys: [Key] = []
    private var objects: [OpenObject] = []
    private(set) var areFound = false
    /// Whether the names of each object that is inside another one are in the order of their bytes.
    private(set) var areInnerOnesSorted = true

    init(in bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func open() {
        if objects.isEmpty {
            keys.reserveCapacity(Self.fewKeys)
            objects.reserveCapacity(4)
        }
        objects.append(OpenObject(start: keys.count))
    }

    mutating func append(_ range: Range<Int>, hasEscapes: Bool) {
        if objects.count > 1, areInnerOnesSorted { areInnerOnesSorted = !hasEscapes && isAfterLast(range) }
        keys.append(Key(range: range, mark: mark(of: range)))
        if hasEscapes { objects[objects.count - 1].hasEscapes = true }
    }

    /// Called at the end of an object, after all its names were appended.
    mutating func close() throws(JSONError) {
        let object = objects.removeLast()
        let count = keys.count - object.start
        if count > 1, !areFound { areFound = try haveTwins(object) }
        keys.removeLast(count)
    }

    private mutating func haveTwins(_ object: OpenObject) throws(JSONError) -> Bool {
        guard !object.hasEscapes else { return try haveTwinsAsText(keys[object.start...]) }
        if keys.count - object.start <= Self.fewKeys { return haveTwins(from: object.start) }
        // Their order in the text does not matter any more.
        keys[object.start...].sort { $0.mark < $1.mark }
        return haveTwinMarks(from: object.start) && haveTwinsByHash(keys[object.start...])
    }

    private func haveTwins(from start: Int) -> Bool {
        keys.withUnsafeBufferPointer { keys in
            for index in (start + 1)..<keys.count {
                let mark = keys[index].mark
                for earlier in start..<index where keys[earlier].mark == mark {
                    if piece(keys[earlier]) == piece(keys[index]) { return true }
                }
            }
            return false
        }
    }

    private func haveTwinMarks(from start: Int) -> Bool {
        keys.withUnsafeBufferPointer { keys in
            for index in (start + 1)..<keys.count where keys[index].mark == keys[index - 1].mark { return true }
            return false
        }
    }

    private func haveTwinsByHash(_ keys: ArraySlice<Key>) -> Bool {
        var seen: Set<Piece> = []
        seen.reserveCapacity(keys.count)
        return !keys.allSatisfy { seen.insert(piece($0)).inserted }
    }

    private func haveTwinsAsText(_ keys: ArraySlice<Key>) throws(JSONError) -> Bool {
        let reader = JSONReader(bytes)
        var seen: Set<Name> = []
        for key in keys {
            let text = Name(try reader.string(key.range, hasEscapes: true))
            guard seen.insert(text).inserted else { return true }
        }
        return false
    }
}

// MARK: - Bytes

extension RepeatedKeys {
    /// Some bytes of the text, compared by their values.
    private struct Piece: Hashable {
        let bytes: UnsafeBufferPointer<UInt8>

        static func == (left: Piece, right: Piece) -> Bool { left.bytes.elementsEqual(right.bytes) }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    }

    /// Whether a name is after the last one of its object in the order of bytes.
    private func isAfterLast(_ range: Range<Int>) -> Bool {
        guard keys.count > objects[objects.count - 1].start else { return true }
        return bytes[keys[keys.count - 1].range].lexicographicallyPrecedes(bytes[range])
    }

    private func piece(_ key: Key) -> Piece { Piece(bytes: UnsafeBufferPointer(rebasing: bytes[key.range])) }

    /// Made of its length, its first and its last eight bytes: equal for equal names, and different for most others.
    private func mark(of range: Range<Int>) -> UInt64 {
        let head = word(at: range.lowerBound, count: min(range.count, 8))
        guard range.count > 8 else { return head }
        let tail = word(at: range.upperBound - 8, count: 8)
        return head ^ (tail &* 0x9E37_79B9_7F4A_7C15) &+ UInt64(range.count)
    }

    /// Up to eight bytes as a number.
    private func word(at start: Int, count: Int) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        guard start &+ 8 <= raw.count else {
            return (0..<count).reduce(0) { $0 | UInt64(raw[start + $1]) << (8 * $1) }
        }
        let whole = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        return whole & ~(UInt64.max << (8 &* count))
    }
}
