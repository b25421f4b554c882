import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Records that were deleted, here or by others, and are brought back.
@Suite struct DeletionsTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws {
        folder = try WorkedFolder()
        for site in ["site-1", "site-2"] { try folder.field.acknowledge(.site, site) }
        try folder.field.acknowledge(.inspection, "inspection-1")
    }

    @Test func ownDeletionsAndThoseOfOthersAreListed() throws {
        field.journal.begin("delete", by: folder.mara)
        try field.removals.deleteSite("site-2")
        try folder.deleteElsewhere(.inspection, "inspection-1")
        let all = try field.deletions.all()
        #expect(
            Set(all.map(\.reference)) == [
                RecordReference(.site, id: "site-2"), RecordReference(.inspection, id: "inspection-1"),
            ])
        for record in all { #expect(record.isOwn == (record.kind == .site), "\(record.line)") }
        #expect(try field.deletions.elsewhere().map(\.title) == ["Old mill, 2026-03-04 routine"])
    }

    @Test func anOwnDeletionIsTakenBackByItsRecord() throws {
        field.journal.begin("delete", by: folder.mara)
        try field.removals.deleteSite("site-2")
        field.journal.begin("edit", by: folder.mara)
        try field.sites.update("site-1", by: folder.mara) { $0.phone = "12" }
        let deleted = try #require(try field.deletions.all().first)
        _ = try field.deletions.bringBack(deleted, by: folder.mara)
        #expect(try field.sites.find("site-2")?.name == "Hill hut" && field.sites.find("site-1")?.phone == "12")
        #expect(try field.deletions.all().isEmpty)
        #expect(throws: RecordActionError(.exists, kind: .site, id: "site-2")) {
            try field.deletions.bringBack(deleted, by: folder.mara)
        }
    }

    /// From then on it belongs to the person who brings it back.
    @Test func whatOthersDeletedComesBackAsOnesOwn() throws {
        try folder.deleteElsewhere(.inspection, "inspection-1")
        let deleted = try #require(try field.deletions.elsewhere().first)
        #expect(try field.deletions.bringBack(deleted, by: folder.author("sven", hours: 1)) == .broughtBack)
        #expect(try folder.inspection().envelope.createdBy == "sven")
        #expect(try field.deletions.elsewhere().isEmpty)
    }

    @Test func aFindingComesBackWithItsInspectionOnly() throws {
        try field.acknowledge(.finding, "finding-1")
        for (kind, id) in [(RecordKind.finding, "finding-1"), (.inspection, "inspection-1")] {
            try folder.deleteElsewhere(kind, id)
        }
        let finding = try #require(try field.deletions.elsewhere().first { $0.kind == .finding })
        let error = #expect(throws: RecordActionError.self) {
            try field.deletions.bringBack(finding, by: folder.mara)
        }
        #expect(error?.code == .partOfDeleted(inspection: "inspection-1"))
    }

    @Test func whatAListHasShownIsNoNews() throws {
        var sequence: UInt64 = 0
        #expect(try field.deletions.new(of: "mara", after: &sequence).isEmpty)
        try folder.deleteElsewhere(.inspection, "inspection-1")
        var again = sequence
        #expect(try field.deletions.new(of: "mara", after: &sequence).map(\.id) == ["inspection-1"])
        #expect(try field.deletions.new(of: "mara", after: &sequence).isEmpty)
        #expect(try field.deletions.unseen(of: "mara", on: folder.day).isEmpty == false)
        try field.deletions.noteSeen(try field.deletions.elsewhere())
        #expect(try field.deletions.new(of: "mara", after: &again).isEmpty)
        #expect(try field.deletions.unseen(of: "mara", on: folder.day).isEmpty)
        #expect(try field.deletions.elsewhere().map(\.isSeen) == [true])
    }

    /// No user has deleted them, and their authors did not make the inspection.
    @Test func findingsOfOthersAreHiddenWithTheirInspection() throws {
        try folder.addFinding("finding-3", of: "inspection-1", by: folder.author("sven"))
        try folder.deleteElsewhere(.inspection, "inspection-1")
        let deleted = try field.deletions.elsewhere()
        let hidden = try field.deletions.hiddenFindings(with: deleted, madeBy: "sven")
        #expect(hidden.map(\.id) == ["finding-3"])
        #expect(hidden.first?.hiddenWith == RecordReference(.inspection, id: "inspection-1"))
        #expect(try field.deletions.hiddenFindings(with: deleted, madeBy: "mara").isEmpty, "it comes back with hers")
        #expect(try field.deletions.hiddenFindings(with: [], madeBy: "sven").isEmpty)
    }

    /// A gateway that has lost the record accepts its deletion from any user who claims to have made it.
    @Test(arguments: [("mara", 1), ("sven", 0)]) func itsCreatorBringsItBack(user: String, count: Int) throws {
        try folder.deleteElsewhere(.inspection, "inspection-1", leaving: #"{"createdBy":"eve"}"#)
        #expect(try field.deletions.bringBackClaimed(by: folder.author(user, hours: 1)) == count)
        #expect(try field.store.isThere(.inspection, id: "inspection-1") == (count == 1))
        #expect(try field.deletions.elsewhere().count == 1 - count)
    }

    @Test func theDeletionOfItsCreatorCounts() throws {
        try folder.deleteElsewhere(.inspection, "inspection-1", leaving: #"{"createdBy":"mara"}"#)
        #expect(try field.deletions.bringBackClaimed(by: folder.author("mara", hours: 1)) == 0)
        #expect(try field.store.isDeleted(.inspection, id: "inspection-1"))
    }

    @Test func whatIsThereAgainIsForgotten() throws {
        try folder.deleteElsewhere(.inspection, "inspection-1")
        let body = try #require(try field.deletions.elsewhere().first).body
        try field.collection(of: .inspection).save(bodies: [("inspection-1", body.bytes)])
        try field.deletions.forgetReturned()
        #expect(try field.deletions.pages.kept().isEmpty)
    }

    @Test func aDeletedSiteIsKnownByItsName() throws {
        #expect(try SiteName(field.deletions).of("site-2") == "Hill hut")
        try folder.deleteElsewhere(.site, "site-2")
        #expect(try SiteName(field.deletions).of("site-2") == "Hill hut (deleted)")
        #expect(try SiteName(field.deletions).of("site-9") == "site-9")
        #expect(try SiteName.deleted(field.deletions) == [Name("site-2"): "Hill hut (deleted)"])
        let title = try TitleWithSite(field.deletions).title(RecordReference(.inspection, id: "inspection-1"))
        #expect(title == "Old mill, 2026-03-04 routine")
    }
}
