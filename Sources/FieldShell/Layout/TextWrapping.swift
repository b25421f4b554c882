/// Text broken at its spaces, so that a terminal does not break it in the middle of a word.
extension String {
    /// Lines of at most `width` cells. Text after a break is indented like the beginning of the text, and by `hanging`
    /// more cells. Only a word that is longer than a line is broken itself: behind a `|` if it has one.
    func wrapped(to width: Int, hanging: Int = 0) -> [String] {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            var wrap = LineWrap(width: width)
            return wrap.lines(of: String(line), hanging: hanging)
        }
    }

    /// The same as one text.
    func wrappedText(to width: Int) -> String { wrapped(to: width).joined(separator: "\n") }
}

private struct LineWrap {
    private let width: Int
    private var lines: [String] = []
    private var line = ""
    private var used = 0
    private var margin = 0
    /// Nothing but the margin is in the line yet.
    private var isFresh = true

    init(width: Int) { self.width = max(1, width) }

    mutating func lines(of text: String, hanging: Int) -> [String] {
        guard text.displayWidth > width else { return [text] }
        let spaces = text.unicodeScalars.prefix { $0 == " " }.count
        begin(spaces: min(spaces, width / 2))
        margin = min(spaces + hanging, width / 2)
        // Two spaces between columns stay two.
        for word in text.unicodeScalars.dropFirst(spaces).split(separator: " ", omittingEmptySubsequences: false) {
            add(String(word))
        }
        lines.append(line.withoutSpacesAtEnd)
        return lines
    }

    private mutating func begin(spaces: Int) {
        line = String(repeating: " ", count: spaces)
        used = spaces
        isFresh = true
    }

    private mutating func breakLine() {
        lines.append(line.withoutSpacesAtEnd)
        begin(spaces: margin)
    }

    private mutating func add(_ word: String) {
        let room = word.displayWidth
        if !isFresh {
            if used + 1 + room <= width { append(" ", cells: 1) } else { breakLine() }
        }
        guard room > width - used else { return append(word, cells: room) }
        for choice in Self.choices(of: word) {
            if used + choice.displayWidth > width, !isFresh { breakLine() }
            addLetters(of: choice)
        }
    }

    /// The parts of a usage, as in `list|open|save`, each with the `|` behind it.
    private static func choices(of word: String) -> [String] {
        var choices: [String] = []
        var choice = ""
        for character in word {
            choice.append(character)
            guard character == "|" else { continue }
            choices.append(choice)
            choice = ""
        }
        return choice.isEmpty ? choices : choices + [choice]
    }

    private mutating func addLetters(of text: String) {
        for character in text {
            let cells = String(character).displayWidth
            if used + cells > width, !isFresh { breakLine() }
            append(String(character), cells: cells)
        }
    }

    private mutating func append(_ text: String, cells: Int) {
        line += text
        used += cells
        if cells > 0 { isFresh = false }
    }
}
