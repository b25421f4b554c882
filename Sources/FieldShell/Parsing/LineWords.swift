/// Takes a line apart into words: at spaces, with quotation marks of either kind and the backslash as in a shell.
public enum LineWords {
    /// - Throws: `UsageError` for a quotation mark that is never closed.
    public static func split(_ line: String) throws(UsageError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let complete = word { words.append(complete) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let quote { throw UsageError("The quotation mark \(quote) is not closed.") }
        if isEscaped { word = (word ?? "") + "\\" }
        if let word { words.append(word) }
        return words
    }

    /// The word as it must be typed to be read as one.
    public static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && !word.contains { $0.isWhitespace || "\"'\\".contains($0) }
        if isPlain { return word }
        return "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// A line that was typed wrong: nothing has been done. Ends a one-shot command with status 2.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    public let message: String
    /// What the person may have meant, or how the command is used.
    public let hint: String?

    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    public var description: String { hint.map { "\(message) \($0)" } ?? message }
}
