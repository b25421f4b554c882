/// Finds out whether a sync function counts on underscore.js, which Sync Gateway has as `_` and this gateway has not:
/// such a function compiles, and then fails for every document.
///
/// It looks at the tokens of the text only. A function that makes or takes a `_` of its own is left alone.
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

    private static func token(_ index: Int, tokens: [Substring]) -> Substring {
        tokens.indices.contains(index) ? tokens[index] : ""
    }

    private static func declares(_ tokens: [Substring]) -> Bool {
        let declarations: Set<Substring> = ["var", "let", "const", "function"]
        for index in tokens.indices where tokens[index] == "_" {
            let (before, after) = (token(index - 1, tokens: tokens), token(index + 1, tokens: tokens))
            if declarations.contains(before) { return true }
            if before != ".", after == "=", token(index + 2, tokens: tokens) != "=" { return true }
            // As in `function (a, _)`.
            if (before == "(" || before == ","), after == ")" || after == ",", isParameter(index, tokens: tokens) {
                return true
            }
        }
        return false
    }

    private static func isParameter(_ index: Int, tokens: [Substring]) -> Bool {
        guard let open = tokens[..<index].lastIndex(of: "(") else { return false }
        let before = token(open - 1, tokens: tokens)
        return before == "function" || before == "catch" || token(open - 2, tokens: tokens) == "function"
    }

    /// Names and signs, without comments, strings and spaces.
    private static func tokens(of text: String) -> [Substring] {
        var tokens: [Substring] = []
        var rest = text[...]
        while let first = rest.first {
            if rest.hasPrefix("//") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.hasPrefix("*/") { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            } else if first == "\"" || first == "'" {
                rest = behindString(rest, quote: first)
            } else if isNamed(first) {
                let name = rest.prefix(while: isNamed)
                tokens.append(name)
                rest = rest[name.endIndex...]
            } else {
                if !first.isWhitespace { tokens.append(rest.prefix(1)) }
                rest = rest.dropFirst()
            }
        }
        return tokens
    }

    private static func isNamed(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$"
    }

    private static func behindString(_ text: Substring, quote: Character) -> Substring {
        var rest = text.dropFirst()
        while let character = rest.first, character != quote, !character.isNewline {
            rest = rest.dropFirst(character == "\\" ? 2 : 1)
        }
        return rest.dropFirst()
    }
}
