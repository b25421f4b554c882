import DocumentValues

/// The texts of a workbook that its cells refer to by their numbers.
struct SharedTexts: MarkupHandler {
    private(set) var texts: [String] = []
    private var path: [String] = []

    mutating func start(_ tag: MarkupTag) {
        if tag.local == "si" { texts.append("") }
        path.append(tag.local)
    }

    /// Readings of Japanese characters (`rPh`) are no part of the text.
    mutating func text(_ text: String) {
        guard path.last == "t", !texts.isEmpty, !path.contains("rPh") else { return }
        texts[texts.count - 1] += text
    }

    mutating func end() { path.removeLast() }
}
