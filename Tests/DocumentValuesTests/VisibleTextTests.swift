import DocumentValues
import Testing

/// Texts of others on their way to a log.
@Suite struct VisibleTextTests {
    @Test(arguments: [
        ("short", 5, "short"), ("shorter", 5, "short…"), ("caf\u{E9}s", 4, "caf…"), ("caf\u{E9}s", 5, "caf\u{E9}…"),
        ("a\u{1F600}", 4, "a…"), ("e\u{301}x", 1, "e…"), ("ab", 0, "…"), ("", 0, ""),
    ])
    func noScalarIsSplitWhereATextIsCut(text: String, limit: Int, shown: String) {
        #expect(Array(text.shortened(toBytes: limit).utf8) == Array(shown.utf8))
    }

    /// A combining mark after a space is seen, and so is the space under it.
    @Test(arguments: [
        ("  a b\t\r\n", "a b"), ("\u{A0}a\u{2003}", "a"), ("a \u{301}", "a \u{301}"), (" \n ", ""), ("", ""),
        ("a", "a"),
    ])
    func whiteSpaceIsTakenFromBothEnds(text: String, trimmed: String) {
        #expect(text.trimmingSpaces.isExactly(trimmed) && text[...].trimmingSpaces.isExactly(trimmed))
    }
}
