import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

@Suite struct NewIDsTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    private func refused() throws -> RefusedRecord { try #require(try field.outbox.all().first) }

    @Test func whatReferredToItRefersToTheNewOne() throws {
        try field.inspections.update("inspection-1", by: folder.mara) { $0.assignment = "assignment-1" }
        try field.lifeCycle.submit("inspection-1", by: folder.mara)
        try field.refuse(.inspection, "inspection-1", code: 409, reason: "conflict")
        let renamed = try field.newIDs.send(try refused(), by: folder.mara)
        #expect(renamed.kind == .inspection && RecordIDs.isMade(renamed.id))
        #expect(try field.inspections.all().records.map(\.id) == [renamed.id])
        #expect(try folder.inspection(renamed.id).status == .submitted)
        #expect(try field.findings.all().records.allSatisfy { $0.inspection == renamed.id })
        #expect(try field.assignments.find("assignment-1")?.inspection == renamed.id)
        #expect(try field.outbox.all().isEmpty)
    }

    @Test func aSitesRecordsGoAlong() throws {
        try field.acknowledge(.assignment, "assignment-1")
        try field.refuse(.site, "site-1", code: 409, reason: "conflict")
        let renamed = try field.newIDs.send(try refused(), by: folder.mara)
        #expect(try field.sites.find(renamed.id)?.name == "Old mill" && field.sites.find("site-1") == nil)
        #expect(try folder.inspection().site == renamed.id)
        #expect(try field.findings.all().records.allSatisfy { $0.site == renamed.id })
        #expect(try field.assignments.find("assignment-1")?.site == "site-1", "the assignment is of ines")
    }

    @Test func whatTheGatewayHasByNowKeepsItsID() throws {
        try field.refuse(.inspection, "inspection-1", code: 409, reason: "conflict")
        let record = try refused()
        try field.acknowledge(.inspection, "inspection-1")
        #expect(throws: RecordActionError(.notFound, kind: .inspection, id: "inspection-1")) {
            try field.newIDs.send(record, by: folder.mara)
        }
        #expect(try field.inspections.all().records.map(\.id) == ["inspection-1"])
    }
}
