import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing

/// Conflicts of records in which something cannot be read.
@Suite struct DamagedConflictTests {
    @Test func whatCannotBeReadKeepsNoConflictOpen() throws {
        let temporary = try TemporaryField()
        let photo: JSONValue = ["name": "a.jpg", "blob": ["@type": "blob", "digest": "x"]]
        let body: JSONObject = [
            "type": "inspection", "schema": 1, "site": "site-mill", "date": "2026-03-04", "status": "draft",
            "inspector": "mara", "createdBy": "mara", "channels": ["district.hill"], "district": "hill", "visit": 7,
            "notes": "dry", "photos": [photo],
            "conflicts": [
                ["field": "notes", "value": "dry", "by": "mara", "at": "2026-03-04T10:00:00Z", "device": "one"],
                ["field": "notes", "value": "wet", "by": "mara", "at": "2026-03-04T10:00:00Z", "device": "two"],
            ],
        ]
        let inspections = temporary.field.collection(of: .inspection)
        try inspections.save(document: MutableDocument(id: "inspection-odd", body: body))
        let conflict = try #require(try temporary.field.conflicts.conflict(of: .inspection, "inspection-odd"))
        let decided = try temporary.field.conflicts.decide(
            conflict, choices: [FieldPath("notes"): "wet"], by: temporary.author)
        #expect(decided["notes"] == "wet" && decided["conflicts"] == nil)
        #expect(decided["visit"] == 7 && decided["photos"] == [photo])
        #expect(try temporary.field.conflicts.all().isEmpty)
        #expect(throws: RecordError.self) {
            try inspections.save(document: MutableDocument(id: "inspection-other", body: body))
            let other = try #require(try temporary.field.conflicts.conflict(of: .inspection, "inspection-other"))
            try temporary.field.conflicts.decide(other, choices: [FieldPath("notes"): 7], by: temporary.author)
        }
    }
}
