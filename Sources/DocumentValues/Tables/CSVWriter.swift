/// Writes rows as RFC 4180 has them: CRLF line ends, quotation marks where they are needed.
public struct CSVWriter: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public mutating func append(_ fields: [String]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field)
        }
        bytes.append(contentsOf: [0x0D, 0x0A])
    }

    /// Hands over what has been written since the last time.
    public mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func append(_ field: String) {
        let text = Self.harmless(field)
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
    /// telephone numbers are left alone.
    private static func harmless(_ field: String) -> String {
        guard let first = field.utf8.first else { return field }
        switch first {
        case UInt8(ascii: "="), UInt8(ascii: "@"), 0x09, 0x0D: return "'" + field
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            let isNumber = field.utf8.dropFirst().allSatisfy {
                (0x30...0x39).contains($0) || " .()-/".utf8.contains($0)
            }
            return isNumber ? field : "'" + field
        default: return field
        }
    }
}
