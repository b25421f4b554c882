import DocumentValues

/// Cuts a line into tokens, scalar by scalar: an accent after a space or a quotation mark does not hide it.
struct LineSplitter {
    private struct Quotation {
        let mark: Unicode.Scalar
        /// Of a whole value, as in `notes='side door'`.
        let isValue: Bool
    }

    /// The part of the line directly before a scalar.
    private enum Joint {
        case closedQuotation
        /// A quotation that was a whole value.
        case closedValue
        /// Behind a closed quotation.
        case escaped
        case other
    }

    private var tokens: [LineToken] = []
    /// `nil` between tokens.
    private var token: String.UnicodeScalarView?
    /// The same as it was typed.
    private var written = String.UnicodeScalarView()
    private var quotation: Quotation?
    private var isEscaped = false
    private var joint = Joint.other

    /// - Throws: for text that goes on behind a quotation that was a whole value.
    mutating func take(_ scalar: Unicode.Scalar) throws(UsageError) {
        let isSpace = scalar.properties.isWhitespace
        if quotation != nil || isEscaped || !isSpace { written.append(scalar) }
        if isEscaped {
            token.append(scalar)
            isEscaped = false
        } else if scalar == "\\", quotation?.mark != "'" {
            isEscaped = true
            joint = quotation == nil && joint != .other ? .escaped : .other
        } else if let quotation {
            take(scalar, within: quotation)
        } else if joint == .closedValue, !isSpace {
            throw Self.missingSpace
        } else if opensQuotation(scalar) {
            quotation = Quotation(mark: scalar, isValue: joint != .escaped && token != nil)
            token = token ?? .init()
            joint = .other
        } else if isSpace {
            endToken()
            joint = .other
        } else {
            token.append(scalar)
            joint = .other
        }
    }

    /// - Throws: for a quotation mark that is never closed.
    mutating func end() throws(UsageError) -> [LineToken] {
        if let quotation { throw UsageError("The quotation mark \(quotation.mark) is not closed.") }
        if isEscaped { token.append("\\") }
        endToken()
        return tokens
    }

    private mutating func take(_ scalar: Unicode.Scalar, within quotation: Quotation) {
        if scalar == quotation.mark {
            self.quotation = nil
            joint = quotation.isValue ? .closedValue : .closedQuotation
        } else {
            token.append(scalar)
            joint = .other
        }
    }

    private mutating func endToken() {
        if let token { tokens.append(LineToken(text: String(token), written: String(written))) }
        (token, written) = (nil, .init())
    }

    /// At the start of a token, or of the value in `notes='side door'`; and again behind a closed quotation and a backslash.
    private func opensQuotation(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar == "\"" || scalar == "'" else { return false }
        return joint == .escaped || token?.last.map { $0 == "=" } ?? true
    }

    /// The next text would be taken for a part of the value: `notes="two doors"score=61`.
    private static let missingSpace = UsageError(
        "A space is missing behind the quotation marks of a value.",
        hint: "A quotation mark in its text is typed \\\": notes=\"he said \\\"ok\\\"\"")
}

extension Optional<String.UnicodeScalarView> {
    /// In place: a copy for each letter would make a square of a pasted line.
    fileprivate mutating func append(_ scalar: Unicode.Scalar) {
        if self == nil { self = .init() }
        self?.append(scalar)
    }
}
