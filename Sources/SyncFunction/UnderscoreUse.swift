/// Finds out whether a sync function counts on underscore.js, which Sync Gateway has as `_` and this gateway has not:
/// such a function compiles, and then fails for every document.
///
/// It looks at the words of the text only. A function that makes or takes a `_` of its own is left alone.
enum UnderscoreUse {
    static func problem(in text: String) -> String? {
        let words = words(of: text)
        guard !declares(words) else { return nil }
        for index in words.indices where words[index] == "_" {
            let (before, after) = (word(index - 1, words: words), word(index + 1, words: words))
            guard before != ".", after == "." || after == "(" else { continue }
            let use = after == "." ? "_.\(word(index + 2, words: words))" : "_"
            return "\(use) belongs to underscore.js, which sync functions do not have here; "
                + "use JavaScript's own functions (indexOf, map, filter, forEach …) or define _ in the function"
        }
        return nil
    }

    private static func word(_ index: Int, words: [Substring]) -> Substring {
        words.indices.contains(index) ? words[index] : ""
    }

    private static func declares(_ words: [Substring]) -> Bool {
        let declarations: Set<Substring> = ["var", "let", "const", "function"]
        for index in words.indices where words[index] == "_" {
            let (before, after) = (word(index - 1, words: words), word(index + 1, words: words))
            if declarations.contains(before) { return true }
            if before != ".", after == "=", word(index + 2, words: words) != "=" { return true }
            // As in `function (a, _)`.
            if (before == "(" || before == ","), after == ")" || after == ",", isParameter(index, words: words) {
                return true
            }
        }
        return false
    }

    private static func isParameter(_ index: Int, words: [Substring]) -> Bool {
        guard let open = words[..<index].lastIndex(of: "(") else { return false }
        let before = word(open - 1, words: words)
        return before == "function" || before == "catch" || word(open - 2, words: words) == "function"
    }

    /// Names and signs, without comments, strings and spaces.
    private static func words(of text: String) -> [Substring] {
        var words: [Substring] = []
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
                words.append(name)
                rest = rest[name.endIndex...]
            } else {
                if !first.isWhitespace { words.append(rest.prefix(1)) }
                rest = rest.dropFirst()
            }
        }
        return words
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
