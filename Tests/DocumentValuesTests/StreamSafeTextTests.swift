import DocumentValues
import Testing

@Suite(.timeLimit(.minutes(1))) struct StreamSafeTextTests {
    @Test(arguments: [
        "", "plain", "Café", "cafe\u{301}", "Việt Nam, Điện Biên Phủ và các quận khác của thành phố",
        "שָׁלוֹם עֲלֵיכֶם, ברוכים הבאים לכולם", "ที่ประเทศไทยมีร้านอาหารมากมาย", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
        "a" + String(repeating: "\u{301}", count: 30) + "b",
    ])
    func whatPeopleWriteStaysAsItIs(text: String) {
        #expect(text.streamSafe == text)
        #expect(Substring(text).streamSafe == text)
    }

    @Test func ofMoreMarksTheFirstAreKept() {
        let marks = String(repeating: "\u{301}\u{316}", count: 450_000)
        let safe = "a" + marks.unicodeScalars.prefix(30).map { String($0) }.joined()
        #expect(("a" + marks).streamSafe == safe)
        #expect(("a" + marks + "b" + marks).streamSafe.unicodeScalars.count == 62)
        #expect(("a" + marks + "\u{1B}").printableLine == safe + "?")
    }

    /// Swift's own comparisons take time with the square of the number of marks: minutes for these.
    @Test func manyMarksAreReadAtOnce() {
        let marks = "a" + String(repeating: "\u{301}\u{316}", count: 450_000)
        #expect(!marks.readsLike("mill") && !marks.readsLike(beginning: "mill"))
        #expect(marks.readsLike(beginning: "a" + String(repeating: "\u{301}\u{316}", count: 15)))
    }
}
