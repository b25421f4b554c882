/// Reads JSON from bytes: whole values, or only the positions of an object's members.
///
/// It is strict (RFC 8259) and bounded in depth. Foundation's reader is ten times too slow for the document path.
struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0
    private var depth = 0
    private let limit: Int
    private let halves: HalfCharacters
    /// Only for objects that were skipped; in those that were read the last value counts.
    private(set) var repeatedKeys: RepeatedKeys
    /// Whether a string that was skipped has an escape that is half of a character: `\ud800` alone.
    private(set) var hasLoneSurrogates = false
    /// Only for layouts: whether two names might look alike that are not the same.
    var mayHaveLookAlikes = false
    /// Whether the skipped text differs from the output of `JSONWriter`: by white space, or by an escape that is not
    /// needed.
    private(set) var hasOtherSpelling = false

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, depth limit: Int = JSONLimits.depth, halves: HalfCharacters = .replaced
    ) {
        self.bytes = bytes
        self.limit = limit
        self.halves = halves
        repeatedKeys = RepeatedKeys(in: bytes)
    }

    mutating func skipWhitespace() {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            hasOtherSpelling = true
            position += 1
        }
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// Reads one value with everything inside it. Not by recursion: the stack limits the depth of a value (see
    /// `JSONLimits.depth`), and a recursive reader would need much more stack for each level than the release of the
    /// value does.
    mutating func readValue() throws(JSONError) -> JSONValue {
        skipWhitespace()
        let first = try peek()
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return try readScalar(first) }
        guard var current = try openContainer(first) else { return Self.empty(first) }
        var outer: [OpenContainer] = []
        while true {
            skipWhitespace()
            let first = try peek()
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                if let inner = try openContainer(first) {
                    outer.append(current)
                    current = inner
                    continue
                }
                current.append(Self.empty(first))
            } else {
                current.append(try readScalar(first))
            }
            while try endOfContainer(current.closing) {
                let value = current.value
                guard !outer.isEmpty else { return value }
                // Removed from the list, so that this is the only reference: otherwise each appended value would copy
                // those before.
                current = outer.removeLast()
                current.append(value)
            }
            if current.isObject { current.key = try readKey() }
        }
    }

    private static func empty(_ opening: UInt8) -> JSONValue {
        opening == UInt8(ascii: "{") ? .object(JSONObject()) : .array([])
    }

    /// Skips the beginning of an object or an array; `nil` when it is empty.
    private mutating func openContainer(_ opening: UInt8) throws(JSONError) -> OpenContainer? {
        try enter(opening)
        var container = OpenContainer(isObject: opening == UInt8(ascii: "{"))
        skipWhitespace()
        if try peek() == container.closing {
            leave()
            return nil
        }
        if container.isObject { container.key = try readKey() }
        return container
    }

    private mutating func readKey() throws(JSONError) -> String {
        let key = try skipKey()
        return try string(key.range, hasEscapes: key.hasEscapes)
    }

    private mutating func readScalar(_ first: UInt8) throws(JSONError) -> JSONValue {
        switch first {
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"):
            try expect("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try expect("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try expect("null")
            return .null
        default:
            let range = try skipNumber()
            return .number(JSONNumber(checkedText: String(decoding: bytes[range], as: UTF8.self)))
        }
    }

    /// Skips one value, checks its form, and returns its range.
    mutating func skipValue() throws(JSONError) -> Range<Int> {
        skipWhitespace()
        let start = position
        let outside = depth
        var kinds = ContainerKinds()
        while true {
            skipWhitespace()
            let first = try peek()
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                let isObject = first == UInt8(ascii: "{")
                try enter(first)
                skipWhitespace()
                if try peek() == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    leave()
                } else {
                    kinds.append(isObject)
                    if isObject {
                        repeatedKeys.open()
                        try noteKey()
                    }
                    continue
                }
            } else {
                try skipScalar(first)
            }
            while depth > outside, try endOfContainer(kinds.last ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                if kinds.last { try repeatedKeys.close() }
                kinds.removeLast()
            }
            guard depth > outside else { return start..<position }
            if kinds.last { try noteKey() }
        }
    }

    private mutating func noteKey() throws(JSONError) {
        let key = try skipKey()
        repeatedKeys.append(key.range, hasEscapes: key.hasEscapes)
    }

    private mutating func skipScalar(_ first: UInt8) throws(JSONError) {
        switch first {
        case UInt8(ascii: "\""): _ = try skipString()
        case UInt8(ascii: "t"): try expect("true")
        case UInt8(ascii: "f"): try expect("false")
        case UInt8(ascii: "n"): try expect("null")
        default: _ = try skipNumber()
        }
    }

    /// Calls `body` before each member's value; `body` must read or skip it.
    mutating func readMembers(
        _ body: (inout JSONReader, _ key: Range<Int>, _ keyHasEscapes: Bool) throws(JSONError) -> Void
    ) throws(JSONError) {
        try enter(UInt8(ascii: "{"))
        skipWhitespace()
        if try peek() == UInt8(ascii: "}") { return leave() }
        repeatedKeys.open()
        while true {
            let key = try skipKey()
            repeatedKeys.append(key.range, hasEscapes: key.hasEscapes)
            try body(&self, key.range, key.hasEscapes)
            if try endOfContainer(UInt8(ascii: "}")) { return try repeatedKeys.close() }
        }
    }

    private mutating func readString() throws(JSONError) -> String {
        let text = try skipString()
        return try string(text.range, hasEscapes: text.hasEscapes)
    }
}

// MARK: - Tokens

extension JSONReader {
    /// Skips a member's name and its colon.
    mutating func skipKey() throws(JSONError) -> (range: Range<Int>, hasEscapes: Bool) {
        skipWhitespace()
        guard try peek() == UInt8(ascii: "\"") else { throw JSONError(.unexpectedCharacter, offset: position) }
        let key = try skipString()
        skipWhitespace()
        guard try peek() == UInt8(ascii: ":") else { throw JSONError(.unexpectedCharacter, offset: position) }
        position += 1
        return key
    }

    func peek() throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, offset: position) }
        return bytes[position]
    }

    mutating func enter(_ opening: UInt8) throws(JSONError) {
        guard try peek() == opening else { throw JSONError(.unexpectedCharacter, offset: position) }
        guard depth < limit else { throw JSONError(.tooDeep, offset: position) }
        depth += 1
        position += 1
    }

    mutating func leave() {
        depth -= 1
        position += 1
    }

    /// After a member or an element: true at the end, false where another follows.
    mutating func endOfContainer(_ closing: UInt8) throws(JSONError) -> Bool {
        skipWhitespace()
        switch try peek() {
        case closing:
            leave()
            return true
        case UInt8(ascii: ","):
            position += 1
            return false
        default:
            throw JSONError(.unexpectedCharacter, offset: position)
        }
    }

    mutating func expect(_ literal: StaticString) throws(JSONError) {
        for index in 0..<literal.utf8CodeUnitCount {
            guard position < bytes.count else { throw JSONError(.unexpectedEnd, offset: position) }
            guard bytes[position] == literal.utf8Start[index] else {
                throw JSONError(.unexpectedCharacter, offset: position)
            }
            position += 1
        }
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 { position += 1 }
        return position - start
    }

    mutating func skipNumber() throws(JSONError) -> Range<Int> {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        let digits = skipDigits()
        guard digits > 0 else { throw JSONError(.unexpectedCharacter, offset: start) }
        if digits > 1, bytes[firstDigit] == UInt8(ascii: "0") { throw JSONError(.badNumber, offset: start) }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            guard skipDigits() > 0 else { throw JSONError(.badNumber, offset: start) }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            guard skipDigits() > 0 else { throw JSONError(.badNumber, offset: start) }
        }
        return start..<position
    }

    /// Skips a string and returns the range of its text, without the quotation marks.
    mutating func skipString() throws(JSONError) -> (range: Range<Int>, hasEscapes: Bool) {
        let start = position + 1
        var index = start
        var hasEscapes = false
        var isASCII = true
        while true {
            index = bytes.endOfPlainText(from: index)
            guard index < bytes.count else { throw JSONError(.unexpectedEnd, offset: bytes.count) }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                if !isASCII { try checkUTF8(start..<index) }
                position = index + 1
                return (start..<index, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                position = index
                try skipEscape()
                index = position
            case 0x80...:
                isASCII = false
                repeat { index += 1 } while index < bytes.count && bytes[index] >= 0x80
            default: throw JSONError(.badString, offset: index)
            }
        }
    }
}

extension JSONReader {
    /// Skips an escape: a backslash and the characters that belong to it.
    private mutating func skipEscape() throws(JSONError) {
        guard position + 1 < bytes.count else { throw JSONError(.unexpectedEnd, offset: bytes.count) }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 2
        case UInt8(ascii: "/"):
            hasOtherSpelling = true
            position += 2
        case UInt8(ascii: "u"):
            // Some escapes are needed; it does not matter that those few texts are written once more.
            hasOtherSpelling = true
            let unit = try codeUnit(at: position + 2, until: bytes.count)
            position += 6
            if UTF16.isLeadSurrogate(unit), try trailSurrogate(at: position, until: bytes.count) != nil {
                position += 6
            } else if UTF16.isSurrogate(unit) {
                guard halves == .replaced else { throw JSONError(.halfCharacter, offset: position - 6) }
                hasLoneSurrogates = true
            }
        default: throw JSONError(.badString, offset: position)
        }
    }

    /// Whether there is a character from U+0300 on: such characters may combine with others, or be composed differently.
    func hasAmbiguousCharacters(_ range: Range<Int>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var index = range.lowerBound
        // Nearly all names are ASCII and have a few bytes, so they are looked at in one step or two.
        while index < range.upperBound, index &+ 8 <= bytes.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let rest = range.upperBound &- index
            let ofRange = rest < 8 ? word & ((1 << UInt64(8 &* rest)) &- 1) : word
            guard ofRange & 0x8080_8080_8080_8080 == 0 else { break }
            index &+= 8
        }
        while index < range.upperBound, bytes[index] < 0xCC { index += 1 }
        return index < range.upperBound
    }

    private func checkUTF8(_ range: Range<Int>) throws(JSONError) {
        guard UnsafeBufferPointer(rebasing: bytes[range]).isUTF8 else {
            throw JSONError(.notUTF8, offset: range.lowerBound)
        }
    }
}

// MARK: - Text

extension JSONReader {
    func string(_ range: Range<Int>, hasEscapes: Bool) throws(JSONError) -> String {
        let slice = UnsafeBufferPointer(rebasing: bytes[range])
        guard hasEscapes else {
            guard let text = String(utf8: slice) else { throw JSONError(.notUTF8, offset: range.lowerBound) }
            return text
        }
        var plain: [UInt8] = []
        plain.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            if bytes[index] == UInt8(ascii: "\\") {
                index = try appendEscape(at: index + 1, until: range.upperBound, to: &plain)
            } else {
                plain.append(bytes[index])
                index += 1
            }
        }
        guard let text = plain.withUnsafeBufferPointer({ String(utf8: $0) }) else {
            throw JSONError(.notUTF8, offset: range.lowerBound)
        }
        return text
    }

    private func appendEscape(at index: Int, until end: Int, to plain: inout [UInt8]) throws(JSONError) -> Int {
        guard index < end else { throw JSONError(.badString, offset: index) }
        switch bytes[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain.append(bytes[index])
        case UInt8(ascii: "b"): plain.append(0x08)
        case UInt8(ascii: "f"): plain.append(0x0C)
        case UInt8(ascii: "n"): plain.append(0x0A)
        case UInt8(ascii: "r"): plain.append(0x0D)
        case UInt8(ascii: "t"): plain.append(0x09)
        case UInt8(ascii: "u"): return try appendCodeUnits(at: index + 1, until: end, to: &plain)
        default: throw JSONError(.badString, offset: index)
        }
        return index + 1
    }

    private func appendCodeUnits(at index: Int, until end: Int, to plain: inout [UInt8]) throws(JSONError) -> Int {
        let first = try codeUnit(at: index, until: end)
        var next = index + 4
        var scalar = Unicode.Scalar(UInt32(first))
        if UTF16.isLeadSurrogate(first), let second = try trailSurrogate(at: next, until: end) {
            scalar = Unicode.Scalar(0x10000 + ((UInt32(first) & 0x3FF) << 10 | (UInt32(second) & 0x3FF)))
            next += 6
        }
        // A lone surrogate is no character; like Go's reader we take the replacement character for it.
        plain.append(contentsOf: UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
        return next
    }

    /// The second half of a character, whose escape is at `index`; `nil` where something else is.
    private func trailSurrogate(at index: Int, until end: Int) throws(JSONError) -> UInt16? {
        guard index + 6 <= end, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let unit = try codeUnit(at: index + 2, until: end)
        return UTF16.isTrailSurrogate(unit) ? unit : nil
    }

    private func codeUnit(at index: Int, until end: Int) throws(JSONError) -> UInt16 {
        guard index + 4 <= end else { throw JSONError(.badString, offset: index) }
        var unit: UInt16 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Hexadecimal.digit(byte) else { throw JSONError(.badString, offset: index) }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
