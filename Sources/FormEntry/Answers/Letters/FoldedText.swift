import Foundation

/// Texts as they are compared: in small letters, without accents and invisible characters, one space between parts.
///
/// Only what a person types is compared so, with labels and with names; no keyboard shows how an accent is encoded.
enum FoldedText {
    static func of(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        var isSpaced = false
        for scalar in decomposed(text) {
            if scalar.properties.isWhitespace {
                isSpaced = !folded.isEmpty
                continue
            }
            guard scalar.isASCII || !isLeftOut(scalar) else { continue }
            if isSpaced { folded.append(" ") }
            isSpaced = false
            append(scalar, to: &folded)
        }
        return String(folded)
    }

    /// With accents behind their letters, in any order, since they are left out.
    private static func decomposed(_ text: String) -> [Unicode.Scalar] {
        let scalars = Array(text.unicodeScalars)
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return scalars }
        var result: [Unicode.Scalar] = []
        // Foundation moves the rest of the text at each accent, and sorts a run of them: both take the square of a length.
        for start in stride(from: 0, to: scalars.count, by: EntryLimits.decomposed) {
            var part = String.UnicodeScalarView()
            part.append(contentsOf: scalars[start..<min(start + EntryLimits.decomposed, scalars.count)])
            result += String(part).decomposedStringWithCanonicalMapping.unicodeScalars
        }
        return result
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
