import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// Spellings of the same number, and texts that may not be numbers.
@Suite struct NumberSpellingTests {
    /// Another program may write a number that it has read in its own spelling.
    @Test func aNumberIsOneInWhateverItIs() throws {
        let (short, long): (JSONValue, JSONValue) = try (
            .object(JSONObject(parsing: Array(#"{"at":[{"latitude":4,"longitude":1.50}]}"#.utf8))),
            .object(JSONObject(parsing: Array(#"{"at":[{"longitude":1.5,"latitude":4.0}]}"#.utf8)))
        )
        #expect(ValueOrder.isSame(short, and: long))
        let other = try JSONValue.object(JSONObject(parsing: Array(#"{"at":[{"latitude":5}]}"#.utf8)))
        #expect(!ValueOrder.isSame(short, and: other))
        let base: JSONObject = ["type": "site", "name": "Old mill", "location": ["latitude": 4, "longitude": 1]]
        let rewritten = try JSONObject(
            parsing: Array(#"{"type":"site","name":"Old mill","location":{"latitude":4.0,"longitude":1.0}}"#.utf8))
        var moved = base
        moved["location"] = ["latitude": 5, "longitude": 1]
        let merged = try #require(RecordMerge.merge(.site, base: base, a: rewritten, b: moved))
        #expect(merged["location"] == ["latitude": 5, "longitude": 1] && merged["conflicts"] == nil, "\(merged)")
    }

    @Test(arguments: ["1,000", "-12,000"]) func aCommaThatMayBeEitherIsRefused(text: String) throws {
        let field = FormField("count", label: "Count", kind: .number)
        do throws(FieldProblem) {
            let value = try AnswerReader.read(text, for: field, today: CalendarDay(daysSince1970: 0))
            Issue.record("\(text) is read as \(value)")
        } catch {
            let whole = text.replacing(",", with: "")
            #expect(error.message.contains("can be \(whole) or"), "\(error)")
        }
    }

    @Test(arguments: [
        ("1,234,567", "must be a number without commas: 1234567, not '1,234,567'"),
        ("--1,000", "must be a number, not '--1,000'"), ("0x10", "must be a number, not '0x10'"),
    ])
    func whatIsNoNumberIsNotProposed(text: String, message: String) {
        let field = FormField("count", label: "Count", kind: .number)
        #expect(throws: FieldProblem("count", message: message)) {
            try AnswerReader.read(text, for: field, today: CalendarDay(daysSince1970: 0))
        }
    }

    @Test(arguments: [("4,5", 4.5), ("0,125", 0.125), ("1234,567", 1234.567), ("1000", 1000), ("12,5000", 12.5)])
    func aCommaBeforeDecimalsIsRead(text: String, number: Double) throws {
        let field = FormField("count", label: "Count", kind: .number)
        let value = try AnswerReader.read(text, for: field, today: CalendarDay(daysSince1970: 0))
        #expect(value.doubleValue == number)
    }
}
