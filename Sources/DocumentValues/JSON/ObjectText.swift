/// The JSON of an object as `JSONWriter` writes it, with the positions of its members. That is enough for most documents:
/// they are checked, stored, and have a few members read.
package struct ObjectText: Sendable {
    /// Up to so many members are found faster by comparing each than by a table.
    package static let fewMembers = 24

    /// Compact; no name is twice in an object.
    package let bytes: [UInt8]
    private let scan: ObjectScan

    /// - Parameter bytes: the JSON of an object, in any spelling; if members have the same name, the last one counts.
    package init(reading bytes: [UInt8], halves: HalfCharacters = .replaced) throws(JSONError) {
        // If the scan fails, the reader of whole values names the error.
        if let scan = try? ObjectScan(bytes), scan.isAsWritten {
            self.bytes = bytes
            self.scan = scan
        } else {
            let written = try JSONObject(parsing: bytes, halves: halves).bytes
            scan = try ObjectScan(written)
            self.bytes = written
        }
    }

    package var count: Int { scan.members.count }

    /// The names of the members, in their order.
    package var keys: [String] { object.keys }

    /// All of it.
    package var object: JSONObject {
        do throws(JSONError) { return try JSONObject(parsing: bytes) } catch {
            preconditionFailure("JSON that was read before cannot be read: \(error)")
        }
    }

    /// The member of that name.
    package subscript(key: String) -> JSONValue? {
        // Names with escapes can only be compared once they are parsed.
        if scan.hasEscapedKeys { return object[key] }
        var key = key
        guard let range = key.withUTF8({ name in scan.value(of: name, in: bytes) }) else { return nil }
        do throws(JSONError) { return try JSONValue(parsing: bytes, in: range) } catch {
            preconditionFailure("JSON that was read before cannot be read: \(error)")
        }
    }

    /// Whether a member's name begins with `_`, or may do so.
    package var mayHaveReservedMembers: Bool {
        scan.hasEscapedKeys || scan.members.contains { bytes[$0.key.lowerBound] == UInt8(ascii: "_") }
    }

    /// The same with the members of each object in the order of their names' bytes.
    package var canonical: [UInt8] {
        guard scan.areInnerKeysSorted, !scan.hasEscapedKeys else {
            return JSONWriter(sortsKeys: true).bytes(.object(object))
        }
        return scan.sorted(bytes)
    }
}

/// The positions of an object's members in its bytes, and the form of these.
struct ObjectScan: Sendable {
    struct Member: Sendable {
        /// Without the quotation marks.
        let key: Range<Int>
        let value: Range<Int>
    }

    let members: [Member]
    let hasEscapedKeys: Bool
    let areInnerKeysSorted: Bool
    /// Whether `JSONWriter` would write the same bytes.
    let isAsWritten: Bool

    init(_ bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withUnsafeJSONBytes { buffer throws(JSONError) in
            var reader = JSONReader(buffer)
            return try ObjectScan(&reader)
        }
    }

    private init(_ reader: inout JSONReader) throws(JSONError) {
        var members: [Member] = []
        members.reserveCapacity(16)
        var hasEscapedKeys = false
        reader.skipWhitespace()
        try reader.readMembers { reader, key, hasEscapes throws(JSONError) in
            members.append(Member(key: key, value: try reader.skipValue()))
            if hasEscapes { hasEscapedKeys = true }
        }
        reader.skipWhitespace()
        guard reader.isAtEnd else { throw JSONError(.trailingText, offset: reader.position) }
        self.members = members
        self.hasEscapedKeys = hasEscapedKeys
        areInnerKeysSorted = reader.repeatedKeys.areInnerOnesSorted
        isAsWritten = !reader.hasOtherSpelling && !reader.repeatedKeys.areFound
    }

    func value(of name: UnsafeBufferPointer<UInt8>, in bytes: [UInt8]) -> Range<Int>? {
        bytes.withUnsafeBufferPointer { bytes in
            members.first { member in
                member.key.count == name.count && name.elementsEqual(UnsafeBufferPointer(rebasing: bytes[member.key]))
            }?.value
        }
    }

    /// The object with its members in the order of their names' bytes; their values stay as they are.
    func sorted(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBufferPointer { buffer in
            let order = members.indices.map { SortedMember(name: buffer[members[$0].key], index: $0) }
            guard zip(order, order.dropFirst()).contains(where: { $1 < $0 }) else { return bytes }
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count)
            for member in order.sorted() {
                let (key, value) = (members[member.index].key, members[member.index].value)
                output.append(output.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
                output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[key.lowerBound - 1..<value.upperBound]))
            }
            output.append(UInt8(ascii: "}"))
            return output
        }
    }
}

/// A name, compared by its first bytes as a number, and then by the rest.
private struct SortedMember: Comparable {
    private let head: UInt64
    private let name: Slice<UnsafeBufferPointer<UInt8>>
    let index: Int

    init(name: Slice<UnsafeBufferPointer<UInt8>>, index: Int) {
        self.name = name
        self.index = index
        var head: UInt64 = 0
        for byte in name.prefix(8) { head = head << 8 | UInt64(byte) }
        // No name has a zero byte: a shorter one comes before those that begin with it.
        self.head = head << (8 * UInt64(8 - min(8, name.count)))
    }

    static func == (left: Self, right: Self) -> Bool { left.index == right.index }

    static func < (left: Self, right: Self) -> Bool {
        left.head == right.head ? left.name.lexicographicallyPrecedes(right.name) : left.head < right.head
    }
}
