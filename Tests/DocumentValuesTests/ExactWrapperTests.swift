import DocumentValues
import Testing

/// Values with names in them, compared as the names are.
@Suite struct ExactWrapperTests {
    private struct Entry: Hashable {
        @Exact var name: String
        @Exact var other: String?
        @Exact var list: [String]

        init(_ name: String, other: String? = nil, list: [String] = []) {
            self.name = name
            self.other = other
            self.list = list
        }
    }

    private static let pairs = [("caf\u{E9}", "cafe\u{301}"), ("Kim", "\u{212A}im"), ("\u{C5}", "\u{212B}")]

    @Test(arguments: pairs) func lookAlikesAreTwoValues(one: String, other: String) {
        let entries = [
            Entry(one), Entry(other), Entry("x", other: one), Entry("x", other: other), Entry("x", list: [one]),
            Entry("x", list: [other]), Entry("x", list: [one, other]), Entry("x", list: [other, one]),
        ]
        #expect(Set(entries).count == entries.count)
        for (index, entry) in entries.enumerated() {
            for (otherIndex, other) in entries.enumerated() {
                #expect((entry == other) == (index == otherIndex), "\(index) \(otherIndex)")
            }
        }
    }

    @Test func equalOnesAreOne() {
        let (one, other) = (
            Entry("caf\u{E9}", other: "a", list: ["b", "c"]), Entry("caf\u{E9}", other: "a", list: ["b", "c"])
        )
        #expect(one == other && one.hashValue == other.hashValue)
        var changed = other
        changed.other = nil
        #expect(changed != other && changed.name == "caf\u{E9}")
        changed.other = "a"
        #expect(changed == other)
    }

    /// Neither do texts run into each other, nor is a missing one an empty one.
    @Test func whereATextEndsCounts() {
        let entries = [
            Entry("x", list: ["a", "bc"]), Entry("x", list: ["ab", "c"]), Entry("x", list: ["abc"]),
            Entry("x", list: []),
            Entry("x", list: [""]), Entry("x", other: ""), Entry("x"),
        ]
        // One without a list and one with an empty list are the same.
        #expect(Set(entries).count == entries.count - 1)
    }

    @Test(arguments: pairs) func aListHasTheOneThatItHas(one: String, other: String) {
        #expect(["a", one].containsExactly(one) && !["a", one].containsExactly(other))
        #expect(![String]().containsExactly(one))
    }

    private enum Side: String, CaseIterable { case left = "l\u{E9}ft", right }

    @Test func aCaseIsFoundByItsBytes() {
        #expect(Side(exactly: "l\u{E9}ft") == .left && Side(exactly: "right") == .right)
        for text in ["le\u{301}ft", "Right", "", "right "] { #expect(Side(exactly: text) == nil, "\(text)") }
    }

    @Test func theOrderOfTextsIsThatOfTheirBytes() {
        let texts = ["", "A", "a", "ab", "a\u{301}", "b", "\u{E1}", "\u{212A}"]
        #expect(texts.shuffled().sorted() == texts)
        #expect(texts.min() == "" && texts.max() == "\u{212A}" && [String]().min() == nil)
        #expect(texts.firstIndex(of: "\u{E1}") == 6 && texts.firstIndex(of: "a\u{300}") == nil)
    }
}
