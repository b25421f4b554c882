import DocumentValues

/// Finds out whether a sync function needs underscore.js, which Sync Gateway has as `_`, and this gateway does not
/// have: such a function compiles, and then fails for every document.
///
/// It looks at the tokens of the text only, and at scalars: comments and strings may consist of combining marks, and
/// splitting those into `Character`s takes time with the square of their number. A function that declares a `_` of its own is
/// accepted.
enum UnderscoreUse {
    static func problem(in text: String) -> String? {
        let tokens = tokens(of: text)
        guard !declares(tokens) else { return nil }
        for index in tokens.indices where tokens[index] == "_" {
            let (before, after) = (token(index - 1, tokens: tokens), token(index + 1, tokens: tokens))
            guard before != ".", after == "." || after == "(" else { continue }
            let use = after == "." ? "_.\(token(index + 2, tokens: tokens))" : "_"
            return "\(use) belongs to underscore.js, which sync functions do not have here; "
                + "use JavaScript's own functions (indexOf, map, filter, forEach …) or define _ in the function"
        }
        return nil
    }

    private static func token(_ index: Int, tokens: [String]) -> String {
        tokens.indices.contains(index) ? tokens[index] : ""
    }

    private static func declares(_ tokens: [String]) -> Bool {
        let declarations = ["var", "let", "const", "function"]
        // Of the parenthesis that was opened last.
        var open: Int?
        for index in tokens.indices {
            if tokens[index] == "(" { open = index }
            guard tokens[index] == "_" else { continue }
            let (before, after) = (token(index - 1, tokens: tokens), token(index + 1, tokens: tokens))
            if declarations.contains(before) { return true }
            if before != ".", after == "=", token(index + 2, tokens: tokens) != "=" { return true }
            // As in `function (a, _)`.
            if (before == "(" || before == ","), after == ")" || after == ",", beginsParameters(open, tokens: tokens) {
                return true
            }
        }
        return false
    }

    private static func beginsParameters(_ open: Int?, tokens: [String]) -> Bool {
        guard let open else { return false }
        let before = token(open - 1, tokens: tokens)
        return before == "function" || before == "catch" || token(open - 2, tokens: tokens) == "function"
    }

    /// Names and signs, without comments, strings and spaces.
    private static func tokens(of text: String) -> [String] {
        var tokens: [String] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            if begins(rest, with: "//") {
                rest = rest.drop { !isNewline($0) }
            } else if begins(rest, with: "/*") {
                rest = behindComment(rest)
            } else if first == "\"" || first == "'" {
                rest = behindString(rest, quote: first)
            } else if isNamed(first) {
                let name = rest.prefix(while: isNamed)
                tokens.append(String(name))
                rest = rest[name.endIndex...]
            } else {
                if !first.properties.isWhitespace { tokens.append(String(first)) }
                rest = rest.dropFirst()
            }
        }
        return tokens
    }

    private static func begins(_ text: Substring.UnicodeScalarView, with part: String) -> Bool {
        text.starts(with: part.unicodeScalars)
    }

    private static func isNamed(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isIDContinue || scalar == "$" }

    /// The line ends of JavaScript.
    private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func behindComment(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var rest = text.dropFirst(2)
        while !rest.isEmpty, !begins(rest, with: "*/") { rest = rest.dropFirst() }
        return rest.dropFirst(2)
    }

    private static func behindString(
        _ text: Substring.UnicodeScalarView, quote: Unicode.Scalar
    ) -> Substring.UnicodeScalarView {
        var rest = text.dropFirst()
        while let scalar = rest.first, scalar != quote, !isNewline(scalar) {
            rest = rest.dropFirst()
            // An escaped line end may consist of both characters.
            if scalar == "\\" { rest = rest.dropFirst(begins(rest, with: "\r\n") ? 2 : 1) }
        }
        return rest.dropFirst()
    }
}
