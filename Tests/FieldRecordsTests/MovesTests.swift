import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// A record that is moved to another site, district or day takes its dependent records along.
@Suite struct MovesTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    /// A record that was sent is in a district where others see it.
    @Test func aSitesDistrictTakesAlongWhatNobodyElseHas() throws {
        try folder.addInspection("inspection-2")
        try field.acknowledge(.inspection, "inspection-1")
        let moved = try field.moves.moveRecords(
            ofSite: "site-1", from: folder.mill, to: folder.hill, by: folder.mara)
        #expect(moved.inspections == 1 && moved.findings == 2 && moved.assignments == 1 && !moved.isEmpty)
        #expect(try folder.inspection("inspection-1").district == folder.mill)
        #expect(try folder.inspection("inspection-2").district == folder.hill)
        let left = try field.moves.records(ofSite: "site-1", in: folder.mill)
        #expect(left.inspections == 1 && left.findings == 0 && left.assignments == 0)
        #expect(try field.moves.records(ofSite: "site-2", in: folder.mill).isEmpty)
    }

    @Test func anInspectionTakesItsFindingsToAnotherSite() throws {
        let hut = try #require(try field.sites.find("site-2"))
        #expect(try field.moves.moveInspection("inspection-1", toSite: hut, by: folder.mara) == 2)
        let inspection = try folder.inspection()
        #expect(inspection.site == "site-2" && inspection.district == folder.hill)
        for finding in try field.findings.all().records {
            #expect(finding.site == "site-2" && finding.district == folder.hill, "\(finding.id)")
        }
    }

    @Test func whatIsHandedInStaysWhereItIs() throws {
        try folder.handIn()
        let hut = try #require(try field.sites.find("site-2"))
        let error = #expect(throws: RecordActionError.self) {
            try field.moves.moveInspection("inspection-1", toSite: hut, by: folder.mara)
        }
        #expect(error?.code == .closed(status: "submitted"))
        #expect(try folder.inspection().site == "site-1")
        #expect(try field.findings.all().records.allSatisfy { $0.site == "site-1" })
    }

    @Test func onlyFindingsOfTheOldDistrictGoAlong() throws {
        let vale = try #require(District("vale"))
        try field.findings.update("finding-2", by: folder.mara) { $0.envelope.move(to: vale) }
        let moved = try field.moves.moveFindings(
            ofInspection: "inspection-1", from: folder.mill, to: folder.hill, by: folder.mara)
        #expect(moved.findings == 1 && moved.inspections == 0)
        #expect(try field.findings.all().records.map(\.district) == [folder.hill, vale])
    }

    @Test func findingsHaveTheDayOfTheirInspection() throws {
        let old = try folder.inspection()
        let earlier = folder.day.adding(days: -7)
        try field.findings.update("finding-2", by: folder.mara) { $0.date = earlier }
        try field.moves.bringFindingDatesAlong(from: old, to: old, by: folder.mara)
        #expect(try field.findings.find("finding-2")?.date == earlier, "the inspection's day was no slip")
        let new = try field.inspections.update("inspection-1", by: folder.mara) { $0.date = old.date.adding(days: 1) }
        try field.moves.bringFindingDatesAlong(from: old, to: new, by: folder.mara)
        #expect(try field.findings.all().records.allSatisfy { $0.date == new.date })
    }
}
