import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// Finds the contested values that were typed on this laptop.
@Suite struct TypedValuesTests {
    private func value(of path: FieldPath, is value: JSONValue?) -> ContestedValue {
        ContestedValue(.field(path), value: value, stamp: VersionStamp(by: nil, at: nil, device: nil))
    }

    /// The log has one line for each field, in which names and values look alike.
    @Test func fieldsAndValuesThatLookAlikeAreKeptApart() throws {
        let field = try TemporaryField()
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307))
        var inspection = Inspection(
            id: "inspection-a", site: "site-a", date: CalendarDay(daysSince1970: 20_516), district: .unknown)
        inspection.answers = ["fridge": "b", "fridge temp": 4, "notes": "answer"]
        try field.field.inspections.add(inspection, by: author)
        func edit(_ change: @escaping (inout Inspection) -> Void) throws {
            field.field.journal.begin("edit", by: author)
            try field.field.inspections.update(inspection.id, by: author, change: change)
        }
        try edit { $0.answers["fridge"] = "a → b" }
        try edit { $0.answers["fridge temp"] = 5 }
        try edit { $0.notes = "typed" }
        try edit { $0.answers["notes"] = "other" }
        let typed = try field.field.history.typedHere(.inspection, id: inspection.id)
        let (fridge, notes) = (FieldPath("answers", part: "fridge"), FieldPath("notes"))
        let own = typed.last(
            among: [value(of: fridge, is: "b"), value(of: fridge, is: "a → b"), value(of: fridge, is: 5)], at: fridge)
        #expect(own?.value == "a → b")
        #expect(
            typed.last(among: [value(of: notes, is: "other"), value(of: notes, is: "typed")], at: notes)?.value
                == "typed")
        #expect(typed.last(among: [value(of: FieldPath("score"), is: 5)], at: FieldPath("score")) == nil)
        try edit { $0.notes = nil }
        let cleared = try field.field.history.typedHere(.inspection, id: inspection.id)
        let last = try #require(
            cleared.last(among: [value(of: notes, is: "typed"), value(of: notes, is: nil)], at: notes))
        #expect(last.value == nil)
    }
}
