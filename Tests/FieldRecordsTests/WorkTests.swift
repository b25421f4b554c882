import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

@Suite struct WorkTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    private func begin(_ id: String, inspector: String) throws {
        try folder.addInspection(id) {
            $0.assignment = "assignment-1"
            $0.inspector = inspector
        }
    }

    @Test func anAssignmentThatTwoHaveBegunIsNamed() throws {
        try begin("inspection-2", inspector: "mara")
        #expect(try field.work.repeatedWork(of: "mara", touchedBy: ["inspection-2"]).isEmpty)
        try begin("inspection-3", inspector: "sven")
        let repeated = try field.work.repeatedWork(of: "mara", touchedBy: ["inspection-3"])
        #expect(repeated.map(\.assignment) == [RecordReference(.assignment, id: "assignment-1")])
        #expect(repeated.first?.inspections.map(\.id) == ["inspection-2", "inspection-3"])
        #expect(try field.work.repeatedWork(of: "mara", touchedBy: ["inspection-1"]).isEmpty)
        #expect(try field.work.repeatedWork(of: "mara", touchedBy: []).isEmpty)
        #expect(try field.work.repeatedWork(of: "eve", touchedBy: ["inspection-3"]).isEmpty, "she has nothing to do")
    }

    @Test func whoHasBegunGoesOnWithTheirOwn() throws {
        try begin("inspection-2", inspector: "sven")
        #expect(try field.work.begunInspections(for: "mara")[assignment: "assignment-1"]?.id == "inspection-2")
        try begin("inspection-3", inspector: "mara")
        #expect(try field.work.begunInspections(for: "mara")[assignment: "assignment-1"]?.id == "inspection-3")
        #expect(try field.work.begunInspections(for: "sven")[assignment: "assignment-1"]?.id == "inspection-2")
        #expect(try field.work.begunInspections(for: nil)[assignment: "assignment-9"] == nil)
    }

    /// The return comes again with values that were merged since.
    @Test func aReturnIsNewOnce() throws {
        func sendBack(hours: Int64) throws {
            try field.inspections.update("inspection-1", by: folder.author("mara", hours: hours)) {
                $0.status = .submitted
            }
            try field.lifeCycle.sendBack(
                "inspection-1", because: "the door", by: folder.author("ines", hours: hours + 1))
        }
        try sendBack(hours: 1)
        #expect(try field.work.noteReturns(of: ["inspection-1", "inspection-9"]) == ["inspection-1"])
        #expect(try field.work.noteReturns(of: ["inspection-1"]).isEmpty)
        try field.inspections.update("inspection-1", by: folder.author("mara", hours: 3)) { $0.notes = "mended" }
        #expect(try field.work.noteReturns(of: ["inspection-1"]).isEmpty)
        try sendBack(hours: 4)
        #expect(try field.work.noteReturns(of: ["inspection-1"]) == ["inspection-1"])
        #expect(try field.work.noteReturns(of: []).isEmpty)
    }

    @Test func workWithoutItsSiteIsNamed() throws {
        try folder.addInspection("inspection-2", at: "site-9")
        #expect(try field.work.siteless(of: "mara").map(\.id) == ["inspection-2"])
        #expect(try field.work.siteless(of: nil).map(\.id) == ["inspection-2"])
        #expect(try field.work.siteless(of: "sven").isEmpty)
        let work = try field.work.today(of: "mara", on: folder.day, conflicts: 2)
        #expect(work.siteless.map(\.id) == ["inspection-2"] && work.conflicts == 2 && work.due.count == 1)
    }

    @Test func theDayCountsWhatWaits() throws {
        try field.refuse(.site, "site-1")
        try field.acknowledge(.inspection, "inspection-1")
        try field.inspections.update("inspection-1", by: folder.mara) { $0.notes = "dry" }
        try folder.takeAway(.inspection, "inspection-1")
        let work = try field.work.today(of: "mara", on: folder.day, conflicts: 0)
        #expect(work.refused == 1 && work.quarantined == 1 && work.drafts.isEmpty)
        #expect(work.line == "1 due today, 1 refused, 1 in quarantine")
    }
}
