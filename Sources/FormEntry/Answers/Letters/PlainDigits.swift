/// Digits of all scripts, and the signs that go with them, as those of ASCII.
enum PlainDigits {
    static func of(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
            plain.append(ascii(scalar))
        }
        return String(plain)
    }

    private static func ascii(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII { return scalar }
        if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
            return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
        }
        if scalar.properties.isWhitespace { return " " }
        return signs[scalar] ?? scalar
    }

    private static let signs: [Unicode.Scalar: Unicode.Scalar] = [
        "−": "-", "‐": "-", "‑": "-", "–": "-", "﹣": "-", "－": "-", "＋": "+", "’": "'", "‘": "'", "ʼ": "'", "，": ",",
        "．": ".", "٫": ".", "٬": "'", "：": ":", "／": "/",
    ]
}
