import DocumentValues
import Testing

/// In this package texts are compared by their bytes.
@Suite(.timeLimit(.minutes(1))) struct ExactTextTests {
    private enum Side: String, CaseIterable { case left, right = "caf\u{E9}" }

    @Test func canonicallyEquivalentTextsAreTwo() {
        let (one, two) = ("caf\u{E9}", "cafe\u{301}")
        #expect(!(one == two) && one != two && one == "caf\u{E9}")
        let maybe: String? = one
        let other: String? = two
        #expect(!(maybe == other) && maybe != other && !(maybe == two) && maybe != two && maybe == one)
        #expect(!(maybe == "cafe\u{301}") && maybe != "cafe\u{301}" && maybe == "caf\u{E9}" && maybe != nil)
        let isMatched =
            switch one {
            case "cafe\u{301}": false
            case "caf\u{E9}": true
            default: false
            }
        #expect(isMatched)
        #expect(Side(exactly: one) == .right && Side(exactly: two) == nil)
        #expect("\u{E9}t\u{E9}".hasPrefix("\u{E9}") && !"\u{E9}t\u{E9}".hasPrefix("e\u{301}"))
        #expect("\u{E9}t\u{E9}".hasSuffix("\u{E9}") && !"\u{E9}t\u{E9}".hasSuffix("e\u{301}"))
    }

    /// Swift's own operators take time with the square of the number of marks: minutes for these.
    @Test func manyMarksAreComparedAtOnce() {
        let marks = String(repeating: "\u{301}\u{316}", count: 1_000_000)
        #expect(!(marks == "normal") && marks != "a" + marks && Side(exactly: marks) == nil && !marks.hasPrefix("a"))
        #expect(!Set([Name(marks), Name(marks + "a")]).contains("left"))
    }
}

/// Texts are cut among their bytes.
@Suite struct ExactCuttingTests {
    private static let marks = "a" + String(repeating: "\u{301}\u{316}", count: 200_000)

    @Test(
        arguments: [
            ("a b c", Int.max, true, ["a", "b", "c"]), (" a  b ", .max, true, ["a", "b"]),
            (" a  b ", .max, false, ["", "a", "", "b", ""]), ("a b c", 1, true, ["a", "b c"]), ("", .max, true, []),
            ("", .max, false, [""]), ("  ", .max, true, []), ("abc", 0, true, ["abc"]),
            // The mark belongs to the space where somebody reads it.
            ("a \u{301}b", .max, true, ["a", "\u{301}b"]),
        ] as [(String, Int, Bool, [String])])
    func aTextIsSplit(text: String, most: Int, omitsEmpty: Bool, parts: [String]) {
        let found = text.split(separator: " ", maxSplits: most, omittingEmptySubsequences: omitsEmpty)
        #expect(found.map { String($0) }.elementsEqual(parts))
        #expect(text.contains(" ") == text.utf8.contains(0x20))
        #expect(text.firstIndex(of: " ") == text.utf8.firstIndex(of: 0x20))
    }

    @Test(arguments: [
        ("a-b-c", "-", "+", "a+b+c"), ("aaa", "aa", "b", "ba"), ("abc", "", "x", "abc"), ("", "a", "b", ""),
        ("aab", "ab", "x", "ax"), ("é", "e", "x", "é"), ("e\u{301}", "e", "x", "x\u{301}"),
    ])
    func aPartIsReplaced(text: String, part: String, replacement: String, result: String) {
        #expect(text.replacing(part, with: replacement).isExactly(result))
    }

    /// In the time that it takes to read them.
    @Test(.timeLimit(.minutes(1))) func marksAreNotSorted() {
        let other = Self.marks + "\u{301}"
        #expect(Self.marks.split(separator: " ").count == 1 && !Self.marks.contains("b"))
        #expect(Self.marks.replacing("b", with: "c").isExactly(Self.marks))
        #expect([Self.marks] != [other] && ![Self.marks].contains(other) && [other].firstIndex(of: Self.marks) == nil)
        #expect([other, Self.marks].sorted().first?.isExactly(Self.marks) == true)
        #expect(Self.marks.first != other.first)
    }
}
