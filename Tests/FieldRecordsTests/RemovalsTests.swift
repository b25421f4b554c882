import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

@Suite struct RemovalsTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    @Test func aSiteStaysAsLongAsRecordsReferToIt() throws {
        #expect(try field.removals.records(ofSite: "site-1") == ["1 inspection", "2 findings", "1 assignment"])
        let error = #expect(throws: RecordActionError.self) { try field.removals.deleteSite("site-1") }
        #expect(error?.code == .inUse(by: "1 inspection and 2 findings and 1 assignment"))
        #expect(try field.sites.find("site-1") != nil)
        #expect(try field.removals.records(ofSite: "site-2").isEmpty)
        try field.removals.deleteSite("site-2")
        #expect(try field.sites.find("site-2") == nil)
    }

    /// A user has not agreed to the deletion of values that the user has not seen.
    @Test func whatWasChangedSinceStays() throws {
        let known = try field.findings.all().records
        try field.findings.update("finding-1", by: folder.mara) { $0.text = "Rats" }
        #expect(try field.removals.delete(known, by: folder.mara) == 1)
        #expect(try field.findings.all().records.map(\.text) == ["Rats"])
    }

    @Test func whatIsHandedInLosesNothing() throws {
        try folder.handIn()
        let known = try field.findings.all().records
        let attempts: [() throws -> Void] = [
            { [field, folder] in _ = try field.removals.delete(known, by: folder.mara) },
            { [field] in try field.removals.deleteFinding("finding-1") },
            { [field] in _ = try field.removals.deleteInspection("inspection-1") },
        ]
        for attempt in attempts { #expect(throws: RecordActionError.self) { try attempt() } }
        #expect(try field.findings.all().records.count == 2 && folder.inspection().status == .submitted)
    }

    @Test func aFindingOfNoInspectionIsDeleted() throws {
        let finding = Finding(
            id: "finding-9", inspection: nil, site: "site-1", date: folder.day, text: "Rust", district: folder.mill)
        try field.findings.add(finding, by: folder.mara)
        try field.removals.deleteFinding("finding-9")
        #expect(try field.findings.all().records.map(\.id) == ["finding-1", "finding-2"])
        #expect(throws: RecordActionError.self) { try field.removals.deleteFinding("finding-9") }
    }

    /// A record that cannot be read can still be deleted.
    @Test func whatIsDamagedIsDeleted() throws {
        try field.collection(of: .inspection).save(bodies: [("inspection-2", Array(#"{"type":"inspection"}"#.utf8))])
        #expect(try field.removals.deleteInspection("inspection-2") == 0)
        #expect(try !field.store.isThere(.inspection, id: "inspection-2"))
        #expect(throws: RecordActionError.self) { try field.removals.deleteInspection("inspection-2") }
    }

    /// Each deletion would be a document of the journal, and earlier changes could not be taken back any more.
    @Test func ofVeryManyTheJournalNotesOnlyThatTheyWent() throws {
        for number in 3...(FieldRecordsLimits.notedDeletions + 1) {
            try folder.addFinding("finding-\(number)", of: "inspection-1")
        }
        let all = try field.findings.all().records
        field.journal.begin("delete findings", by: folder.mara)
        #expect(try field.removals.delete(all, by: folder.mara) == FieldRecordsLimits.notedDeletions + 1)
        #expect(field.findings.count == 0)
        #expect(throws: UndoError(code: .notKept(title: "delete findings"))) { try field.history.pendingUndo() }
    }
}
