/// How an escape that is half of a character is treated: `\ud800` alone, which no text can contain.
public enum HalfCharacters: Sendable, Hashable {
    /// Replaced by U+FFFD, as other readers do it: for text that another program has accepted.
    case replaced
    /// Refused: for text that a caller wants to store.
    case refused
}

extension JSONValue {
    /// Reads one JSON value that is the whole of `bytes`, apart from white space around it.
    ///
    /// - Parameter depth: levels of nesting; more than `JSONLimits.depth` only for answers that contain documents.
    public init(
        parsing bytes: [UInt8], depth: Int = JSONLimits.depth, halves: HalfCharacters = .replaced
    ) throws(JSONError) {
        self = try bytes.withUnsafeJSONBytes { buffer throws(JSONError) in
            var reader = JSONReader(buffer, depth: depth, halves: halves)
            let value = try reader.readValue()
            reader.skipWhitespace()
            guard reader.isAtEnd else { throw JSONError(.trailingText, offset: reader.position) }
            return value
        }
    }

    /// Reads the value in exactly this range.
    init(parsing bytes: [UInt8], in range: Range<Int>) throws(JSONError) {
        self = try bytes.withUnsafeJSONBytes { buffer throws(JSONError) in
            var reader = JSONReader(UnsafeBufferPointer(rebasing: buffer[range]))
            return try reader.readValue()
        }
    }

    public init(parsing text: some StringProtocol) throws(JSONError) { try self.init(parsing: Array(text.utf8)) }

    /// Reads the value at the beginning of `bytes` and returns how many bytes it has; the bytes behind it are not read.
    public static func parsePrefix(of bytes: [UInt8]) throws(JSONError) -> (value: JSONValue, length: Int) {
        try bytes.withUnsafeJSONBytes { buffer throws(JSONError) in
            var reader = JSONReader(buffer)
            let value = try reader.readValue()
            return (value, reader.position)
        }
    }
}

extension JSONValue {
    /// Whether the bytes are one value, and nothing else; without a tree of it.
    package static func isWhole(_ bytes: [UInt8]) -> Bool {
        do throws(JSONError) {
            return try bytes.withUnsafeJSONBytes { buffer throws(JSONError) in
                var reader = JSONReader(buffer)
                _ = try reader.skipValue()
                reader.skipWhitespace()
                return reader.isAtEnd
            }
        } catch {
            return false
        }
    }
}

extension JSONObject {
    /// Reads one JSON object that is the whole of `bytes`; see `JSONValue`.
    public init(
        parsing bytes: [UInt8], depth: Int = JSONLimits.depth, halves: HalfCharacters = .replaced
    ) throws(JSONError) {
        guard case .object(let object) = try JSONValue(parsing: bytes, depth: depth, halves: halves) else {
            throw JSONError(.notAnObject, offset: 0)
        }
        self = object
    }
}

extension [UInt8] {
    func withUnsafeJSONBytes<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        try withTypedPointer(body)
    }

    /// `withUnsafeBufferPointer` with the error type kept.
    private func withTypedPointer<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        let outcome = withUnsafeBufferPointer { buffer -> Swift.Result<Result, JSONError> in
            do throws(JSONError) { return .success(try body(buffer)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

/// The positions of the members of a JSON object in its bytes: the top level, without a tree.
public struct JSONTopLevel: Sendable {
    public struct Member: Sendable {
        public let key: String
        /// The bytes of the value, without white space around it.
        public let value: Range<Int>
    }

    public let members: [Member]
    /// Whether readers would read it differently: a name occurs twice in this object or in one inside it, or a text has
    /// an escape that is half of a character.
    public let isAmbiguous: Bool

    /// The same for an object from outside, made unambiguous. If a name occurs twice, at any depth, `bytes` are written
    /// again with only the last of its values, the one that `JSONValue` and JavaScript read: other readers take the
    /// first, and would use a value that was not checked. An escape that is half of a character (`\ud800` alone) is
    /// replaced by U+FFFD, since some readers refuse the whole document for it.
    public init(settling bytes: inout [UInt8]) throws(JSONError) {
        let found = try JSONTopLevel(scanning: bytes)
        if found.isAmbiguous { bytes = try JSONValue(parsing: bytes).bytes }
        self = found.isAmbiguous ? try JSONTopLevel(scanning: bytes) : found
    }

    /// Checks that `bytes` are one well-formed JSON object and finds its members; 3-4 times as fast as a tree.
    public init(scanning bytes: [UInt8]) throws(JSONError) {
        (members, isAmbiguous) = try bytes.withUnsafeJSONBytes { buffer throws(JSONError) in
            var reader = JSONReader(buffer)
            reader.skipWhitespace()
            guard !reader.isAtEnd, buffer[reader.position] == UInt8(ascii: "{") else {
                throw JSONError(.notAnObject, offset: reader.position)
            }
            var found: [Member] = []
            found.reserveCapacity(16)
            try reader.readMembers { reader, key, hasEscapes throws(JSONError) in
                let name = try reader.string(key, hasEscapes: hasEscapes)
                found.append(Member(key: name, value: try reader.skipValue()))
            }
            reader.skipWhitespace()
            guard reader.isAtEnd else { throw JSONError(.trailingText, offset: reader.position) }
            return (found, reader.repeatedKeys.areFound || reader.hasLoneSurrogates)
        }
    }

    /// The last member of that name, as a reader of the tree would see it.
    public subscript(key: String) -> Range<Int>? { members.last { $0.key.isExactly(key) }?.value }

    /// The object's bytes without the members that `isRemoved` names; the others keep their bytes.
    public func removing(from bytes: [UInt8], where isRemoved: (String) -> Bool) -> [UInt8] {
        guard members.contains(where: { isRemoved($0.key) }) else { return bytes }
        var result: [UInt8] = [UInt8(ascii: "{")]
        result.reserveCapacity(bytes.count)
        for member in members where !isRemoved(member.key) {
            if result.count > 1 { result.append(UInt8(ascii: ",")) }
            JSONWriter.appendString(member.key, to: &result)
            result.append(UInt8(ascii: ":"))
            result.append(contentsOf: bytes[member.value])
        }
        result.append(UInt8(ascii: "}"))
        return result
    }
}

/// Adds members at the end of the object in `bytes`, without reading the rest of it.
///
/// `bytes` must be a JSON object and `members` the text between an object's braces; either may be empty.
public func appendingMembers(_ members: [UInt8], toObject bytes: [UInt8]) -> [UInt8] {
    guard !members.isEmpty, let end = bytes.lastIndex(of: UInt8(ascii: "}")) else { return bytes }
    let isEmpty = !bytes[..<end].contains { $0 != UInt8(ascii: "{") && $0 > 0x20 }
    var result = Array(bytes[..<end])
    if !isEmpty { result.append(UInt8(ascii: ",")) }
    result.append(contentsOf: members)
    result.append(UInt8(ascii: "}"))
    return result
}
