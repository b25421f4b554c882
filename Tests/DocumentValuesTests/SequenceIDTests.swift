import DocumentValues
import Testing

@Suite(.timeLimit(.minutes(1))) struct SequenceIDTests {
    @Test(arguments: [
        ("7", SequenceID(7)), ("\"7\"", SequenceID(7)), ("", .zero), ("\"\"", .zero),
        ("120:7", SequenceID(7, triggeredBy: 120)), ("\"120:7\"", SequenceID(7, triggeredBy: 120)),
        ("100::123", SequenceID(123, low: 100)), ("100:120:7", SequenceID(7, triggeredBy: 120, low: 100)),
        ("18446744073709551615", SequenceID(.max)),
    ])
    func isRead(text: String, sequence: SequenceID) { #expect(SequenceID(parsing: text) == sequence) }

    @Test(arguments: [
        String(repeating: "0", count: 200), "a" + String(repeating: "\u{301}\u{316}", count: 400_000), "x", "-1", "1:",
        ":1", "1::", "::1", "1:2:3:4", "1.5", " 1", "1 ", "\"1", "18446744073709551616", "+1", "٣",
    ])
    func otherTextsAreNone(text: String) { #expect(SequenceID(parsing: text) == nil) }

    @Test(arguments: [
        (SequenceID(123), "123"), (SequenceID(7, triggeredBy: 120), "\"120:7\""),
        (SequenceID(123, low: 100), "\"100::123\""), (SequenceID(7, triggeredBy: 120, low: 100), "\"100:120:7\""),
        // What the rules reduce to one number is still a string, since something stood in front of it.
        (SequenceID(123, triggeredBy: 120), "\"120:123\""), (SequenceID(123, low: 200), "\"123\""),
        (SequenceID(7, triggeredBy: 120, low: 130), "\"120:7\""),
    ])
    func isWritten(sequence: SequenceID, text: String) {
        #expect(sequence.jsonText == text)
        #expect(SequenceID(json: sequence.json)?.description == sequence.description)
    }

    @Test func otherJSONIsNoSequence() {
        for json in [JSONValue.null, true, [], [:], -1, 1.5, "a"] { #expect(SequenceID(json: json) == nil) }
    }

    @Test func resumingGoesBackToWhatIsComplete() {
        #expect(SequenceID(123, low: 100).safeSequence == 100)
        #expect(SequenceID(123, low: 200).safeSequence == 123)
        #expect(SequenceID(7, triggeredBy: 120).safeSequence == 7)
    }

    /// The order in which feeds are merged: rows of the table of the protocol's specification.
    @Test(arguments: [
        // simple before simple, backfill, low
        ("1", "2", true), ("2", "2", false), ("3", "2", false),
        ("119", "120:7", true), ("120", "120:7", false), ("121", "120:7", false),
        ("100", "100::123", true), ("101", "100::123", false),
        // backfill before simple, backfill, low
        ("120:7", "120", true), ("120:7", "119", false), ("120:7", "121", true),
        ("119:9", "120:7", true), ("120:6", "120:7", true), ("120:7", "120:7", false), ("121:1", "120:7", false),
        ("120:7", "120::130", true), ("120:7", "119::130", false),
        // low before simple, backfill, low
        ("100::123", "101", true), ("100::123", "100", false),
        ("100::123", "101:7", true), ("100::123", "100:7", false),
        ("99::123", "100::50", true), ("100::123", "100::124", true), ("100::124", "100::123", false),
        ("100:120:7", "100:120:8", true), ("100:120:7", "100::130", true),
    ])
    func order(left: String, right: String, isBefore: Bool) throws {
        let left = try #require(SequenceID(parsing: left))
        let right = try #require(SequenceID(parsing: right))
        #expect((left < right) == isBefore)
    }
}
