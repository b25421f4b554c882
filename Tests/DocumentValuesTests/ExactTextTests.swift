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
