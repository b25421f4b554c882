import DocumentValues

/// Reads the markup of labels: `**bold**`, `*italic*`, `# heading`, `[text](address)`, a few tags and entities. It is total:
/// a mark that nothing closes is text.
struct TextMarkup {
    private typealias Piece = LabelTemplate.Piece

    /// A mark on both sides of a text.
    private enum Mark: Int, CaseIterable {
        case twoStars, twoLines, star, line

        var scalars: [Unicode.Scalar] {
            switch self {
            case .twoStars: ["*", "*"]
            case .twoLines: ["_", "_"]
            case .star: ["*"]
            case .line: ["_"]
            }
        }

        var style: StyledText.Style {
            switch self {
            case .twoStars, .twoLines: .bold
            case .star, .line: .italic
            }
        }
    }

    private let pieces: [LabelTemplate.Piece]
    private var index = 0
    private var text = StyledText()
    /// By the indexes at which they close.
    private var closing: [Int: Mark] = [:]
    private var open: Set<Mark> = []
    /// For each mark up to where nothing closes it.
    private var unclosed = Array(repeating: 0, count: Mark.allCases.count)
    private var tags = MarkupTags()
    private var isHeading = false

    static func styled(_ pieces: [LabelTemplate.Piece]) -> StyledText {
        var markup = TextMarkup(pieces: pieces)
        markup.read()
        return markup.text
    }

    private init(pieces: [LabelTemplate.Piece]) { self.pieces = pieces }

    private var style: StyledText.Style {
        var style = tags.style
        for mark in open { style.formUnion(mark.style) }
        if isHeading { style.formUnion([.bold, .heading]) }
        return style
    }

    private mutating func read() {
        while index < pieces.count {
            switch pieces[index] {
            case .value(let value), .reference(let value): append(value, skipping: 1)
            case .scalar(let scalar):
                if !readMarkup(scalar) { append(String(Character(scalar)), skipping: 1) }
            }
        }
    }

    private mutating func append(_ text: String, skipping count: Int) {
        if text == "\n" { isHeading = false }
        self.text.append(text, style: style)
        index += count
    }

    /// - Returns: whether there was some; `index` is behind it then.
    private mutating func readMarkup(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\\": return readEscape()
        case "*", "_": return readMark()
        case "#": return readHeading()
        case "[": return readLink()
        case "<": return readTag()
        case "&": return readEntity()
        default: return false
        }
    }

    private mutating func readEscape() -> Bool {
        guard let next = scalar(at: index + 1), ["*", "_", "#", "\\"].contains(next) else { return false }
        append(String(Character(next)), skipping: 2)
        return true
    }

    private func scalar(at index: Int) -> Unicode.Scalar? {
        pieces.indices.contains(index) ? pieces[index].scalar : nil
    }

    // MARK: Marks

    private mutating func readMark() -> Bool {
        if let mark = closing.removeValue(forKey: index) {
            open.remove(mark)
            index += mark.scalars.count
            return true
        }
        for mark in Mark.allCases where !open.contains(mark) && isThere(mark, at: index) {
            guard let end = end(of: mark) else { continue }
            closing[end] = mark
            open.insert(mark)
            index += mark.scalars.count
            return true
        }
        return false
    }

    private func isThere(_ mark: Mark, at index: Int) -> Bool {
        mark.scalars.enumerated().allSatisfy { scalar(at: index + $0.offset) == $0.element }
    }

    /// Where the mark that opens here is closed: a single one in the same line.
    private mutating func end(of mark: Mark) -> Int? {
        let first = index + mark.scalars.count
        guard first < pieces.count, !isSpace(first), mark != .line || !isLetter(index - 1),
            unclosed[mark.rawValue] <= index
        else { return nil }
        var candidate = first + 1
        while candidate < pieces.count {
            if mark.scalars.count == 1, scalar(at: candidate) == "\n" { break }
            if closes(mark, at: candidate) { return candidate }
            candidate += 1
        }
        unclosed[mark.rawValue] = candidate
        return nil
    }

    private func closes(_ mark: Mark, at index: Int) -> Bool {
        guard closing[index] == nil, isThere(mark, at: index), !isSpace(index - 1) else { return false }
        switch mark {
        case .twoStars, .twoLines: return true
        // Not the half of a double one.
        case .star: return scalar(at: index + 1) != "*" && scalar(at: index - 1) != "*"
        case .line:
            return scalar(at: index + 1) != "_" && scalar(at: index - 1) != "_" && !isLetter(index + 1)
        }
    }

    private func isSpace(_ index: Int) -> Bool { scalar(at: index)?.properties.isWhitespace ?? false }

    /// Or a digit, or a value: `a_b_c` is a name.
    private func isLetter(_ index: Int) -> Bool {
        guard pieces.indices.contains(index) else { return false }
        guard let scalar = pieces[index].scalar else { return true }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    // MARK: Headings, links

    private mutating func readHeading() -> Bool {
        guard index == 0 || scalar(at: index - 1) == "\n" else { return false }
        var end = index
        while scalar(at: end) == "#" { end += 1 }
        guard end - index <= 6, isSpace(end), scalar(at: end) != "\n" else { return false }
        while isSpace(end), scalar(at: end) != "\n" { end += 1 }
        isHeading = true
        index = end
        return true
    }

    /// The text, and the address in brackets where that is another one.
    private mutating func readLink() -> Bool {
        guard let middle = find("]", from: index + 1), scalar(at: middle + 1) == "(",
            let end = find(")", from: middle + 2)
        else { return false }
        let label = plain(index + 1..<middle)
        let address = plain(middle + 2..<end)
        text.append(label.isEmpty ? address : label, style: style.union(.underlined))
        if !label.isEmpty, label != address { text.append(" (\(address))", style: style) }
        index = end + 1
        return true
    }

    /// Within a line, and not far: a bracket that is nothing else is looked at once more only.
    private func find(_ mark: Unicode.Scalar, from start: Int) -> Int? {
        let end = min(pieces.count, start + FormLimits.labelPart)
        guard start < end else { return nil }
        for index in start..<end {
            if pieces[index].isScalar(mark) { return index }
            if pieces[index].isScalar("\n") { return nil }
        }
        return nil
    }

    private func plain(_ range: Range<Int>) -> String {
        range.reduce(into: "") { text, index in
            switch pieces[index] {
            case .scalar(let scalar): text.unicodeScalars.append(scalar)
            case .value(let value), .reference(let value): text += value
            }
        }
    }

    // MARK: Tags, entities

    private mutating func readTag() -> Bool {
        guard let end = find(">", from: index + 1), let effect = tags.take(plain(index + 1..<end)) else { return false }
        if effect == .newLine { append("\n", skipping: 0) }
        index = end + 1
        return true
    }

    private static let entities: [(name: String, text: String)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("nbsp", "\u{A0}"), ("quot", "\""),
    ]

    private mutating func readEntity() -> Bool {
        for (name, text) in Self.entities {
            let end = index + 1 + name.utf8.count
            guard end < pieces.count, pieces[end].isScalar(";"), plain(index + 1..<end).isExactly(name) else {
                continue
            }
            append(text, skipping: name.utf8.count + 2)
            return true
        }
        return false
    }
}

/// The tags of labels that are open.
private struct MarkupTags {
    enum Effect { case style, newLine, none }

    private var open: [(name: Name, style: StyledText.Style)] = []

    var style: StyledText.Style { open.reduce(into: []) { $0.formUnion($1.style) } }

    /// - Parameter tag: between the brackets.
    /// - Returns: `nil` for another tag, which is shown as text.
    mutating func take(_ tag: String) -> Effect? {
        let isEnd = tag.utf8.first == UInt8(ascii: "/")
        let letters = tag.utf8.dropFirst(isEnd ? 1 : 0).prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        let name = Name(String(decoding: letters, as: UTF8.self).lowercased())
        switch name {
        case "br": return .newLine
        case "b": return note(name, style: .bold, isEnd: isEnd)
        case "i": return note(name, style: .italic, isEnd: isEnd)
        case "u": return note(name, style: .underlined, isEnd: isEnd)
        case "p": return isEnd ? .newLine : Effect.none
        case "span", "small", "big", "font": return Effect.none
        default: return nil
        }
    }

    private mutating func note(_ name: Name, style: StyledText.Style, isEnd: Bool) -> Effect {
        if !isEnd {
            open.append((name, style))
        } else if let index = open.lastIndex(where: { $0.name == name }) {
            open.remove(at: index)
        }
        return .style
    }
}
