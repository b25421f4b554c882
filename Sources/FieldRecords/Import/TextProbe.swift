/// Guesses the type of a file from its beginning, by control characters that text does not have.
enum TextProbe: Hashable {
    case text
    /// Text in which a machine has left something: the first such byte, and in which line.
    case stray(UInt8, line: Int)
    /// Pictures, spreadsheets and UTF-16 are full of them.
    case noText

    init(_ bytes: [UInt8]) {
        let beginning = bytes.prefix(FieldRecordsLimits.textProbe)
        guard let first = beginning.firstIndex(where: Self.isControl) else {
            self = .text
            return
        }
        guard beginning.count(where: Self.isControl) <= max(1, beginning.count / 100) else {
            self = .noText
            return
        }
        self = .stray(beginning[first], line: 1 + beginning[..<first].count { $0 == UInt8(ascii: "\n") })
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && !(0x09...0x0D).contains(byte) && byte != 0x1A
    }
}
