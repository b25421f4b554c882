import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// A submitted inspection is handed in once the gateway has it as submitted.
@Suite struct SubmissionsTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws { folder = try WorkedFolder() }

    private func assign() throws {
        try field.inspections.update("inspection-1", by: folder.mara) { $0.assignment = "assignment-1" }
    }

    private func assignment() throws -> Assignment { try #require(try field.assignments.find("assignment-1")) }

    @Test func itIsHandedInWhenTheGatewayHasIt() throws {
        #expect(try !field.submissions.isHandedIn(folder.inspection()))
        try field.lifeCycle.submit("inspection-1", by: folder.mara)
        #expect(try !field.submissions.isHandedIn(folder.inspection()), "nobody else has it")
        try field.acknowledge(.inspection, "inspection-1")
        #expect(try field.submissions.isHandedIn(folder.inspection()))
        #expect(throws: RecordActionError.self) { try field.submissions.checkIsOpen(folder.inspection()) }
        let finding = try #require(try field.findings.find("finding-1"))
        let error = #expect(throws: RecordActionError.self) { try field.submissions.checkIsOpen(inspectionOf: finding) }
        #expect(error?.code == .partOfClosed(status: "submitted", inspection: "inspection-1"))
    }

    @Test func aSubmissionThatTheGatewayRefusesIsOpenHere() throws {
        try field.acknowledge(.inspection, "inspection-1")
        try field.lifeCycle.submit("inspection-1", by: folder.mara)
        try field.refuse(.inspection, "inspection-1")
        #expect(try !field.submissions.isHandedIn(folder.inspection()))
        try field.submissions.checkIsOpen(folder.inspection())
    }

    @Test func itsAssignmentIsDoneAndOpenAgain() throws {
        try assign()
        try field.lifeCycle.submit("inspection-1", by: folder.mara)
        #expect(try assignment().status == .done && assignment().inspection == "inspection-1")
        let taken = try field.submissions.takeBack("inspection-1", by: folder.mara)
        #expect(taken.status == .draft && taken.submittedAt == nil)
        #expect(try assignment().status == .open && assignment().inspection == nil)
    }

    @Test func whatIsHandedInOrWasNotSubmittedIsNotTakenBack() throws {
        let draft = #expect(throws: RecordActionError.self) {
            try field.submissions.takeBack("inspection-1", by: folder.mara)
        }
        #expect(draft?.code == .noSuchStep(from: "draft", to: "draft"))
        try folder.handIn()
        let closed = #expect(throws: RecordActionError.self) {
            try field.submissions.takeBack("inspection-1", by: folder.mara)
        }
        #expect(closed?.code == .closed(status: "submitted"))
        #expect(throws: RecordActionError.self) { try field.submissions.takeBack("inspection-9", by: folder.mara) }
    }

    /// Its owner may take it back, and no reviewer is asked.
    @Test func whatSomebodyElseSubmittedIsTakenBackAlways() throws {
        try field.inspections.update("inspection-1", by: folder.author("sven", hours: 1)) { $0.status = .submitted }
        try field.acknowledge(.inspection, "inspection-1")
        let inspection = try folder.inspection()
        #expect(field.submissions.isSubmittedByOthers(inspection, than: folder.mara))
        #expect(!field.submissions.isSubmittedByOthers(inspection, than: folder.author("sven")))
        #expect(!field.submissions.isSubmittedByOthers(inspection, than: folder.ines), "it is not hers")
        #expect(try field.submissions.takeBack("inspection-1", by: folder.author("mara", hours: 2)).status == .draft)
    }

    @Test func whatLacksAnAnswerIsSubmittedNoLonger() throws {
        let fridge = FormField("fridge", label: "Fridge", kind: .number, isRequired: true)
        let form = FormDefinition(id: "form-kitchen", name: "Kitchen", fields: [fridge])
        var inspection = try folder.inspection()
        inspection.status = .submitted
        try field.submissions.reopenIfIncomplete(&inspection, form: nil)
        #expect(inspection.status == .submitted, "nobody knows what is asked for")
        inspection.answers["fridge"] = 4
        try field.submissions.reopenIfIncomplete(&inspection, form: form)
        #expect(inspection.status == .submitted)
        inspection.answers["fridge"] = nil
        try field.submissions.reopenIfIncomplete(&inspection, form: form)
        #expect(inspection.status == .draft)
    }
}
