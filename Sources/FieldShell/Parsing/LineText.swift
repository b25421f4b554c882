import DocumentValues

/// Splits a line into tokens: at spaces, with quotation marks of either kind and the backslash as in a shell. But a
/// mark within a token is part of it: `l'Église`, `5"`. It opens again behind a closed one and a backslash, as terminals
/// write the name of a file that is dropped on them: `'my counter'\''s photo.png'`.
public enum LineText {
    /// The part of the line directly before a scalar.
    private enum Joint {
        case closedQuotation
        /// A quotation that was a whole value, as in `notes='side door'`.
        case closedValue
        /// Behind a closed quotation.
        case escaped
        case other
    }

    /// - Throws: `UsageError` for a quotation mark that is never closed.
    public static func split(_ line: String) throws(UsageError) -> [String] { try tokens(line).map(\.text) }

    /// Works on Unicode scalars, so that an accent after a space or a quotation mark does not hide it.
    ///
    /// - Throws: `UsageError` for a quotation mark that is never closed, and for a value that goes on behind its own.
    static func tokens(_ line: String) throws(UsageError) -> [LineToken] {
        var tokens: [LineToken] = []
        var token: String.UnicodeScalarView?
        var written = String.UnicodeScalarView()
        var quote: Unicode.Scalar?
        var isValue = false
        var isEscaped = false
        var joint = Joint.other
        for shown in line.unicodeScalars {
            // The sign of a pasted line end: a space between arguments, a line break within quotation marks.
            let scalar = shown == PastedLines.sign ? "\n" : shown
            if quote != nil || isEscaped || !scalar.properties.isWhitespace { written.append(scalar) }
            if isEscaped {
                token.append(scalar)
                isEscaped = false
            } else if scalar == "\\", quote != "'" {
                isEscaped = true
                joint = quote == nil && joint != .other ? .escaped : .other
            } else if scalar == quote {
                quote = nil
                joint = isValue ? .closedValue : .closedQuotation
            } else if joint == .closedValue, !scalar.properties.isWhitespace {
                throw missingSpace
            } else if quote == nil, scalar == "\"" || scalar == "'", joint == .escaped || isAtStart(token) {
                quote = scalar
                isValue = joint != .escaped && token != nil
                token = token ?? .init()
                joint = .other
            } else if quote == nil, scalar.properties.isWhitespace {
                if let complete = token { tokens.append(LineToken(text: String(complete), written: String(written))) }
                (token, written) = (nil, .init())
                joint = .other
            } else {
                token.append(scalar)
                joint = .other
            }
        }
        if let quote { throw UsageError("The quotation mark \(quote) is not closed.") }
        if isEscaped { token.append("\\") }
        if let token { tokens.append(LineToken(text: String(token), written: String(written))) }
        return tokens
    }

    /// The next text would be taken for a part of the value: `notes="two doors"score=61`.
    private static let missingSpace = UsageError(
        "A space is missing behind the quotation marks of a value.",
        hint: "A quotation mark in its text is typed \\\": notes=\"he said \\\"ok\\\"\"")

    /// Whether it is the start of a token, or of the value in `notes='side door'`.
    private static func isAtStart(_ token: String.UnicodeScalarView?) -> Bool {
        token?.last.map { $0 == "=" } ?? true
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
    /// The likely choices, or the usage of the command.
    public let hint: String?

    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    public var description: String { hint.map { "\(message) \($0)" } ?? message }
}
