import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Edits that no gateway got, of records to which access was lost.
@Suite struct QuarantineTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws {
        folder = try WorkedFolder()
        try folder.field.acknowledge(.inspection, "inspection-1")
    }

    private func edit() throws {
        try field.inspections.update("inspection-1", by: folder.author("mara", hours: 1)) { $0.notes = "dry" }
    }

    private func only() throws -> QuarantinedRecord {
        let all = try field.quarantine.all()
        try #require(all.count == 1)
        return all[0]
    }

    @Test func whatWasSentLeavesNothing() throws {
        try folder.takeAway(.inspection, "inspection-1")
        #expect(try field.quarantine.all().isEmpty)
        #expect(try field.inspections.find("inspection-1") == nil)
    }

    @Test func anEditIsKeptWithWhatItChanged() throws {
        try edit()
        try folder.takeAway(.inspection, "inspection-1")
        let kept = try only()
        #expect(kept.kind == .inspection && kept.documentID == "inspection-1" && !kept.isDeleted)
        #expect(kept.title == "Old mill, 2026-03-04 routine")
        #expect(kept.reason == "You have no access to it any more; the gateway has taken it from this laptop.")
        #expect(kept.changes?.contains { $0.hasPrefix("notes ") } == true, "\(kept.changes ?? [])")
        #expect(kept.body["notes"] == "dry")
    }

    @Test func aDeletionIsNamedByWhatWasDeleted() throws {
        field.journal.begin("delete", by: folder.mara)
        _ = try field.removals.deleteInspection("inspection-1")
        try folder.takeAway(.inspection, "inspection-1")
        let kept = try only()
        #expect(kept.isDeleted && kept.title == "Old mill, 2026-03-04 routine" && kept.changes == nil)
    }

    @Test func itIsARecordAgain() throws {
        try edit()
        try folder.takeAway(.inspection, "inspection-1")
        try field.quarantine.restore(try only().id, by: folder.mara)
        #expect(try folder.inspection().notes == "dry")
        #expect(try field.quarantine.all().isEmpty)
        #expect(try field.collection(of: .inspection).exchange(of: "inspection-1")?.isSent == false)
    }

    @Test func itIsForgotten() throws {
        try edit()
        try folder.takeAway(.inspection, "inspection-1")
        try field.quarantine.discard(try only().id)
        #expect(try field.quarantine.all().isEmpty)
        #expect(try field.inspections.find("inspection-1") == nil)
    }
}
