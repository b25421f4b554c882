import DocumentValues
import Foundation

/// Texts as they are compared: in small letters, without accents and invisible characters, one space between parts.
///
/// Only what a person types is compared so, with labels and with names; no keyboard shows how an accent is encoded.
enum FoldedText {
    static func of(_ text: String) -> String {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        // Foundation takes accents from their letters; a run of marks is cut, since sorting it takes the square of its length.
        let letters = isASCII ? text : text.streamSafe.decomposedStringWithCanonicalMapping
        var folded = String.UnicodeScalarView()
        var isSpaced = false
        for scalar in letters.unicodeScalars {
            if scalar.properties.isWhitespace {
                isSpaced = !folded.isEmpty
                continue
            }
            guard isASCII || !isLeftOut(scalar) else { continue }
            if isSpaced { folded.append(" ") }
            isSpaced = false
            append(scalar, to: &folded)
        }
        return String(folded)
    }

    private static func append(_ scalar: Unicode.Scalar, to folded: inout String.UnicodeScalarView) {
        if scalar.isASCII {
            folded.append(("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
        } else if let plain = plainLetters[scalar] {
            folded.append(contentsOf: plain.unicodeScalars)
        } else {
            folded.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
        }
    }

    private static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.generalCategory == .nonspacingMark || properties.isDefaultIgnorableCodePoint
    }

    /// Letters whose accents are a part of them, and signs that keyboards have in several forms.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "ß": "ss", "ẞ": "ss", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "æ": "ae", "Æ": "ae",
        "œ": "oe", "Œ": "oe", "ı": "i", "’": "'", "‘": "'", "ʼ": "'", "′": "'", "″": "\"", "“": "\"", "”": "\"",
        "‐": "-", "‑": "-", "–": "-", "−": "-",
    ]
}
