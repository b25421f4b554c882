import DocumentValues

/// The text of a cell as authors mean it.
enum CellText {
    /// No-break spaces become spaces, curved quotation marks straight ones, and space at the ends goes.
    ///
    /// - Parameter collapsesSpaces: several spaces in a row become one.
    static func cleaned(_ text: String, collapsesSpaces: Bool) -> String {
        let trimmed = text.trimmingSpaces
        // Most cells have nothing to clean.
        if trimmed.utf8.allSatisfy({ $0 < 0x80 }), !collapsesSpaces || !trimmed.containsBytes(of: "  ") {
            return trimmed
        }
        var result = String.UnicodeScalarView()
        var wasSpace = false
        for scalar in trimmed.unicodeScalars {
            let kept = straight(scalar)
            if collapsesSpaces, kept == " ", wasSpace { continue }
            wasSpace = kept == " "
            result.append(kept)
        }
        return String(result)
    }

    private static func straight(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "\u{A0}": " "
        case "\u{2018}", "\u{2019}": "'"
        case "\u{201C}", "\u{201D}": "\""
        default: scalar
        }
    }

    /// The known spellings of yes and no.
    static func flag(_ text: String) -> Bool? {
        switch text {
        case "yes", "Yes", "YES", "true", "True", "TRUE", "true()": true
        case "no", "No", "NO", "false", "False", "FALSE", "false()": false
        default: nil
        }
    }

    /// `yes` as the expression `true()`.
    static func expression(_ text: String) -> String { flag(text).map { $0 ? "true()" : "false()" } ?? text }

    /// The parts between spaces, but not those inside of parentheses and quotation marks.
    static func parts(_ text: String) -> [String] {
        var parts: [String] = []
        var part = String.UnicodeScalarView()
        var depth = 0
        var quote: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if let open = quote {
                if scalar == open { quote = nil }
            } else {
                switch scalar {
                case "(": depth += 1
                case ")": depth = max(0, depth - 1)
                case "'" where depth > 0, "\"" where depth > 0: quote = scalar
                default: break
                }
            }
            if scalar.properties.isWhitespace, depth == 0 {
                if !part.isEmpty { parts.append(String(part)) }
                part = String.UnicodeScalarView()
            } else {
                part.append(scalar)
            }
        }
        if !part.isEmpty { parts.append(String(part)) }
        return parts
    }
}
