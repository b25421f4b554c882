import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// The decisions for people, as commands ask for them.
@Suite struct ConflictsTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    private func contest(
        _ id: String = "inspection-1", field name: String = "notes", values: [JSONValue] = ["dry", "wet"]
    ) throws {
        let collection = field.collection(of: .inspection)
        var body = try #require(try collection.document(id: id)).body
        body[name] = values[0]
        body["conflicts"] = .array(
            zip(values, ["mara", "ines"]).map { value, user in
                ["field": .string(name), "value": value, "by": .string(user), "at": "2026-03-04T10:00:00Z"]
            })
        try collection.save(bodies: [(id, body.bytes)])
    }

    @Test func whatIsToBeDecidedIsFound() throws {
        #expect(try field.conflicts.all().isEmpty)
        try contest()
        #expect(try field.conflicts.all().map(\.id) == ["inspection-1"])
        #expect(
            try field.conflicts.conflict(of: .inspection, "inspection-1")?.fields.map(\.path) == [FieldPath("notes")])
        #expect(try field.conflicts.conflict(of: .inspection, "inspection-9") == nil)
        #expect(try field.conflicts.conflict(of: .site, "site-1") == nil)
    }

    @Test func theyAreCounted() throws {
        try folder.addInspection("inspection-2")
        for id in ["inspection-1", "inspection-2"] { try contest(id) }
        let ids = ["inspection-1", "inspection-2", "inspection-9"]
        #expect(try field.conflicts.count(of: .inspection, ids, for: nil) == 2)
        #expect(try field.conflicts.count(of: .inspection, ["inspection-2"], for: "mara") == 1)
        #expect(try field.conflicts.count(of: .site, ["site-1"], for: nil) == 0)
    }

    /// A sync between two commands may have brought values that the user has not seen.
    @Test func onlyWhatWasShownIsKnown() throws {
        try contest()
        let seen = try #require(try field.conflicts.conflict(of: .inspection, "inspection-1"))
        #expect(try field.conflicts.shownFields(of: seen) == nil)
        try field.conflicts.noteShown(seen)
        #expect(try field.conflicts.shownFields(of: seen) == seen.fields)
        try contest(values: ["dry", "damp"])
        let changed = try #require(try field.conflicts.conflict(of: .inspection, "inspection-1"))
        #expect(try field.conflicts.shownFields(of: changed) == [])
    }

    @Test func aDecisionEndsIt() throws {
        try contest()
        let seen = try #require(try field.conflicts.conflict(of: .inspection, "inspection-1"))
        try field.conflicts.decide(seen, choices: [FieldPath("notes"): "wet"], by: folder.mara)
        #expect(try folder.inspection().notes == "wet")
        #expect(try field.conflicts.all().isEmpty)
        let error = #expect(throws: RecordActionError.self) {
            try field.conflicts.decide(seen, choices: [FieldPath("notes"): "dry"], by: folder.mara)
        }
        #expect(error?.code == .changedMeanwhile)
    }

    /// If a user has decided on the day of an inspection, its findings have that day, too.
    @Test func findingsFollowADecision() throws {
        try contest(field: "date", values: ["2026-03-04", "2026-03-06"])
        let seen = try #require(try field.conflicts.conflict(of: .inspection, "inspection-1"))
        try field.conflicts.decide(seen, choices: [FieldPath("date"): "2026-03-06"], by: folder.mara)
        #expect(try field.findings.all().records.allSatisfy { $0.date == CalendarDay("2026-03-06") })
    }

    @Test func whatIsNotThereCannotBeDecided() throws {
        try contest()
        let seen = try #require(try field.conflicts.conflict(of: .inspection, "inspection-1"))
        _ = try field.removals.deleteInspection("inspection-1")
        #expect(throws: RecordActionError(.notFound, kind: .inspection, id: "inspection-1")) {
            try field.conflicts.decide(seen, choices: [FieldPath("notes"): "wet"], by: folder.mara)
        }
    }
}
