import DocumentValues

/// Splits a line into tokens: at spaces, with quotation marks of either kind and the backslash as in a shell. But a
/// mark within a token is part of it: `l'Église`, `5"`. It opens again behind a closed one and a backslash, as terminals
/// write the name of a file that is dropped on them: `'my counter'\''s photo.png'`.
public enum LineText {
    /// - Throws: `UsageError` for a quotation mark that is never closed.
    public static func split(_ line: String) throws(UsageError) -> [String] { try tokens(line).map(\.text) }

    /// - Throws: `UsageError` for a quotation mark that is never closed, and for a value that goes on behind its own.
    static func tokens(_ line: String) throws(UsageError) -> [LineToken] {
        var splitter = LineSplitter()
        for scalar in line.unicodeScalars {
            // The sign of a pasted line end: a space between arguments, a line break within quotation marks.
            try splitter.take(scalar == PastedLines.sign ? "\n" : scalar)
        }
        return try splitter.end()
    }

    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || "\"'\\".unicodeScalars.contains(scalar)
    }

    /// The token as it must be typed to be read as one.
    public static func quoted(_ token: String) -> String {
        if !token.unicodeScalars.contains(where: isSpecial), !token.isEmpty { return token }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in token.unicodeScalars {
            if scalar == "\\" || scalar == "\"" { quoted.append("\\") }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }
}

/// One part of a line.
struct LineToken: Sendable, Hashable {
    /// Its value: without the quotation marks around it.
    let text: String
    /// As it was typed.
    let written: String

    init(text: String, written: String) {
        self.text = text
        self.written = written
    }

    /// One that comes from elsewhere than a line, such as the arguments of a program.
    init(_ text: String) { self.init(text: text, written: text) }
}

/// A line that was typed wrong: nothing has been done. Ends a one-shot command with status 2.
public struct UsageError: UserFacingError, Sendable, Hashable {
    public let message: String
    /// The likely choices, or the usage of the command.
    public let hint: String?

    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    public var description: String { hint.map { "\(message) \($0)" } ?? message }
}
