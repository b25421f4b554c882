import DocumentValues

/// Constants as SQL writes them.
package enum SQLText {
    /// SQLite reads a text up to a NUL only, so one with such a character is written as its bytes.
    package static func quoted(_ text: String) -> String {
        guard !text.utf8.contains(0) else {
            return "CAST(x'" + text.utf8.map(hexadecimal).joined() + "' AS TEXT)"
        }
        var result: [UInt8] = [0x27]
        for byte in text.utf8 {
            if byte == 0x27 { result.append(byte) }
            result.append(byte)
        }
        result.append(0x27)
        return String(decoding: result, as: UTF8.self)
    }

    static func number(_ number: JSONNumber) -> String {
        if NumberText.isWhole(number.text), let whole = Int64(number.text) {
            // The smallest number has no literal of its own.
            return whole == .min ? "(-9223372036854775807 - 1)" : whole < 0 ? "(\(whole))" : "\(whole)"
        }
        let value = number.double
        // SQL has no name for infinity, and reads it in this form.
        guard value.isFinite else { return value < 0 ? "(-9e999)" : "9e999" }
        let text = NumberText.text(value)
        let real = NumberText.isWhole(text) ? text + ".0" : text
        return text.hasPrefix("-") ? "(\(real))" : real
    }

    static func blob(_ bytes: [UInt8]) -> String { "x'" + bytes.map(hexadecimal).joined() + "'" }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
}

extension QueryCollation {
    private static let prefix = "fb_unicode_"

    /// The name by which SQLite knows the collation.
    package var sqlName: String {
        guard isUnicode else { return ignoresCase ? "NOCASE" : "BINARY" }
        let name = "\(Self.prefix)\(ignoresCase ? "i" : "c")\(ignoresAccents ? "i" : "a")"
        return locale.map { "\(name)_\($0)" } ?? name
    }

    /// Reads the `sqlName` of a Unicode collation.
    package init?(sqlName: String) {
        let parts = sqlName.dropFirst(Self.prefix.utf8.count).split(separator: "_", maxSplits: 1)
        guard sqlName.hasPrefix(Self.prefix), let marks = parts.first, marks.utf8.count == 2 else { return nil }
        self.init(
            isUnicode: true, ignoresCase: marks.first == "i", ignoresAccents: marks.last == "i",
            locale: parts.count > 1 ? String(parts[1]) : nil)
    }
}
