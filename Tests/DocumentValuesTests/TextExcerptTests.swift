import Testing

@testable import DocumentValues

/// The line around a byte of a text.
@Suite struct TextExcerptTests {
    @Test(arguments: [
        ("abc", 0, "Column 1", "", "abc"), ("abc", 2, "Column 3", "ab", "c"), ("abc", 3, "Column 4", "abc", ""),
        ("", 0, "Column 1", "", ""), ("abc", 9, "Column 4", "abc", ""), ("abc", -1, "Column 1", "", "abc"),
        ("é世x", 5, "Column 3", "é世", "x"), ("é世x", 3, "Column 2", "é", "世x"),
        ("a\nbc\nd", 3, "Line 2, column 2", "b", "c"), ("a\nbc\nd", 1, "Line 1, column 2", "a", ""),
        ("a\nbc\nd", 2, "Line 2, column 1", "", "bc"), ("a\n", 2, "Line 2, column 1", "", ""),
        ("a\r\nb\r\n", 3, "Line 2, column 1", "", "b"), ("a\tb\u{1B}c", 2, "Column 3", "a ", "b?c"),
    ])
    func lines(text: String, position: Int, lineAndColumn: String, before: String, behind: String) {
        let excerpt = TextExcerpt(text, at: position)
        #expect(excerpt.lineAndColumn == lineAndColumn)
        #expect(excerpt.before == before && excerpt.behind == behind)
    }

    @Test func longLinesAreCutOnBothSides() {
        let text = String(repeating: "é", count: 500_000) + "!" + String(repeating: "b", count: 500_000)
        let excerpt = TextExcerpt(text, at: 1_000_000)
        #expect(excerpt.column == 500_001)
        #expect(excerpt.before == "…" + String(repeating: "é", count: TextLimits.excerptBefore))
        #expect(excerpt.behind == "!" + String(repeating: "b", count: TextLimits.excerptBehind - 1) + "…")
    }
}
