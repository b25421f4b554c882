import DocumentValues

/// Takes a line apart into words: at spaces, with quotation marks of either kind and the backslash as in a shell. But an
/// apostrophe within a word is one: `l'Église`.
public enum LineText {
    /// It goes by scalars: an accent that follows a space or a quotation mark does not hide it.
    ///
    /// - Throws: `UsageError` for a quotation mark that is never closed.
    public static func split(_ line: String) throws(UsageError) -> [String] {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if isEscaped {
                word.append(scalar)
                isEscaped = false
            } else if scalar == "\\", quote != "'" {
                isEscaped = true
            } else if scalar == quote {
                quote = nil
            } else if quote == nil, scalar == "\"" || (scalar == "'" && isAtStart(word)) {
                quote = scalar
                word = word ?? .init()
            } else if quote == nil, scalar.properties.isWhitespace {
                if let complete = word { words.append(String(complete)) }
                word = nil
            } else {
                word.append(scalar)
            }
        }
        if let quote { throw UsageError("The quotation mark \(quote) is not closed.") }
        if isEscaped { word.append("\\") }
        if let word { words.append(String(word)) }
        return words
    }

    /// Of a word, or of the value in `notes='side door'`.
    private static func isAtStart(_ word: String.UnicodeScalarView?) -> Bool {
        word?.last.map { $0 == "=" } ?? true
    }

    /// The word as it must be typed to be read as one.
    public static func quoted(_ word: String) -> String {
        let isPlain = !word.unicodeScalars.contains {
            $0.properties.isWhitespace || "\"'\\".unicodeScalars.contains($0)
        }
        if isPlain, !word.isEmpty { return word }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in word.unicodeScalars {
            if scalar == "\\" || scalar == "\"" { quoted.append("\\") }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }
}

extension Optional<String.UnicodeScalarView> {
    /// In place: a copy for each letter would make a square of a pasted line.
    fileprivate mutating func append(_ scalar: Unicode.Scalar) {
        if self == nil { self = .init() }
        self?.append(scalar)
    }
}

/// A line that was typed wrong: nothing has been done. Ends a one-shot command with status 2.
public struct UsageError: UserFacingError, Sendable, Hashable {
    public let message: String
    /// What the person may have meant, or how the command is used.
    public let hint: String?

    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    public var description: String { hint.map { "\(message) \($0)" } ?? message }
}
