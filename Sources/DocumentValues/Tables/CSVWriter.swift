/// Writes rows as RFC 4180 has them: CRLF line ends, quotation marks where they are needed.
public struct CSVWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    private let guardsFormulas: Bool

    /// - Parameter guardsFormulas: makes text that a spreadsheet would run harmless, as ``cell(_:)`` does.
    public init(guardsFormulas: Bool = true) { self.guardsFormulas = guardsFormulas }

    public mutating func append(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field)
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    /// Returns the bytes that were written since the last call.
    public mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func append(_ field: String) {
        let text = guardsFormulas ? Self.cell(field) : field
        guard Self.needsQuotes(text) else { return bytes.append(contentsOf: text.utf8) }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsQuotes(_ field: String) -> Bool {
        if field.utf8.first == 0x20 || field.utf8.last == 0x20 { return true }
        return field.utf8.contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ";") || $0 == 0x0A || $0 == 0x0D
                || $0 == 0x09
        }
    }

    /// A spreadsheet runs text that begins like a formula. An apostrophe in front makes it text again; numbers and
    /// telephone numbers are left alone. Text that has such an apostrophe of its own gets one more, so that
    /// ``text(ofCell:)`` finds out which of the two it was.
    public static func cell(_ field: String) -> String { needsMark(field) ? "'" + field : field }

    /// The text that ``cell(_:)`` has made harmless; any other is as it is.
    public static func text(ofCell cell: String) -> String {
        guard cell.utf8.first == mark, needsMark(cell) else { return cell }
        return String(Substring(cell.utf8.dropFirst()))
    }

    private static let mark = UInt8(ascii: "'")

    /// Whether it begins like a formula, behind any apostrophes.
    private static func needsMark(_ field: String) -> Bool {
        let text = field.utf8.drop { $0 == mark }
        // U+FF0B, U+FF0D, U+FF1D, U+FF20: some spreadsheets take the full-width forms of these signs for the signs.
        if text.starts(with: [0xEF, 0xBC]), [0x8B, 0x8D, 0x9D, 0xA0].contains(text.dropFirst(2).first) { return true }
        switch text.first {
        case UInt8(ascii: "="), UInt8(ascii: "@"), 0x09, 0x0D: return true
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            return !text.dropFirst().allSatisfy { (0x30...0x39).contains($0) || " .()-/".utf8.contains($0) }
        default: return false
        }
    }
}
