/// Notices names that stand twice in one object, at any depth, while a text is passed over.
///
/// Readers differ in which of the values they take, so that what was checked would not be what is read.
struct RepeatedKeys {
    private struct Key {
        /// Where it stands, without the quotation marks.
        let range: Range<Int>
        let hasEscapes: Bool
    }

    /// Up to so many names are compared with each other faster than they are hashed.
    private static let fewKeys = 12

    /// Of all open objects, the outer ones first.
    private var keys: [Key] = []
    /// Where the names of each open object begin.
    private var starts: [Int] = []
    private(set) var areFound = false

    mutating func open() { starts.append(keys.count) }

    mutating func append(_ range: Range<Int>, hasEscapes: Bool) {
        keys.append(Key(range: range, hasEscapes: hasEscapes))
    }

    /// An object ends whose names were all appended.
    mutating func close(in reader: JSONReader) throws(JSONError) {
        let start = starts.removeLast()
        if !areFound { areFound = try haveTwins(keys[start...], reader) }
        keys.removeSubrange(start...)
    }

    private func haveTwins(_ keys: ArraySlice<Key>, _ reader: JSONReader) throws(JSONError) -> Bool {
        guard keys.count > 1 else { return false }
        // The same name may be written in more than one way.
        guard !keys.contains(where: \.hasEscapes) else { return try haveTwinsAsText(keys, reader) }
        guard keys.count <= Self.fewKeys else { return haveTwinsByHash(keys, reader) }
        for index in keys.indices.dropFirst() {
            for earlier in keys.startIndex..<index where reader.equal(keys[earlier].range, keys[index].range) {
                return true
            }
        }
        return false
    }

    private func haveTwinsByHash(_ keys: ArraySlice<Key>, _ reader: JSONReader) -> Bool {
        var seen: Set<JSONReader.Piece> = []
        seen.reserveCapacity(keys.count)
        return !keys.allSatisfy { seen.insert(reader.piece($0.range)).inserted }
    }

    private func haveTwinsAsText(_ keys: ArraySlice<Key>, _ reader: JSONReader) throws(JSONError) -> Bool {
        var seen: Set<Name> = []
        for key in keys {
            let text = Name(try reader.string(key.range, hasEscapes: key.hasEscapes))
            guard seen.insert(text).inserted else { return true }
        }
        return false
    }
}

extension JSONReader {
    /// Some bytes of the text that is read, compared by what they are.
    struct Piece: Hashable {
        let bytes: UnsafeBufferPointer<UInt8>

        static func == (left: Piece, right: Piece) -> Bool { left.bytes.elementsEqual(right.bytes) }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    }
}
