/// A position in the bytes of a YAML text, which moves forwards.
struct YAMLCursor {
    /// UTF-8 whose lines end with `\n` alone, and which has no NUL.
    let bytes: [UInt8]
    private(set) var offset = 0
    private(set) var line = 1
    private(set) var lineStart = 0
    /// Scalars of the line before `counted`. Each byte is counted once.
    private var scalars = 0
    private var counted = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// NUL at the end.
    var byte: UInt8 { byte(ahead: 0) }

    func byte(ahead distance: Int) -> UInt8 {
        let index = offset + distance
        return index < bytes.count ? bytes[index] : 0
    }

    var previous: UInt8? { offset > lineStart ? bytes[offset - 1] : nil }

    var isAtEnd: Bool { offset >= bytes.count }
    var isAtBreak: Bool { Self.isBreak(byte) }
    var isAtBlank: Bool { Self.isBlank(byte) }
    /// Spaces before the first content of a line, also where a `-` is among them.
    var column: Int { offset - lineStart }

    /// Whether a `#` begins a comment here.
    var isAtComment: Bool { byte == UInt8(ascii: "#") && (previous.map(Self.isBlank) ?? true) }

    /// `---` or `...` at the beginning of a line.
    var isAtMarker: Bool {
        guard column == 0, byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") else { return false }
        return byte(ahead: 1) == byte && byte(ahead: 2) == byte && Self.endsIndicator(byte(ahead: 3))
    }

    var hasContent: Bool { !isAtEnd && !isAtMarker }

    /// Whether the byte is an indicator: a `-`, `?` or `:` with a space or a line end behind it.
    func isAtIndicator(_ indicator: Unicode.Scalar) -> Bool {
        byte == UInt8(ascii: indicator) && Self.endsIndicator(byte(ahead: 1))
    }

    static func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == 0 }
    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    static func endsIndicator(_ byte: UInt8) -> Bool { isBlank(byte) || isBreak(byte) }

    static func isFlowIndicator(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case ",", "[", "]", "{", "}": true
        default: false
        }
    }

    /// Within the line.
    mutating func advance(by count: Int = 1) { offset += count }

    /// Over the line end at which it is.
    mutating func nextLine() {
        guard !isAtEnd else { return }
        offset += 1
        line += 1
        lineStart = offset
        scalars = 0
        counted = offset
    }

    mutating func skipLine() {
        while !isAtBreak { offset += 1 }
        nextLine()
    }

    mutating func skipBlanks() { while isAtBlank { offset += 1 } }

    mutating func skipSpaces() { while byte == UInt8(ascii: " ") { offset += 1 } }

    mutating func position() -> YAMLPosition {
        while counted < offset {
            if bytes[counted] & 0xC0 != 0x80 { scalars += 1 }
            counted += 1
        }
        return YAMLPosition(line: line, column: scalars + 1)
    }

    func text(from start: Int, to end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }
}
