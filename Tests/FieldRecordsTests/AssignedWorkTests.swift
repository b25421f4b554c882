import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

@Suite struct AssignedWorkTests {
    private let folder: WorkedFolder
    private var field: FieldDatabase { folder.field }

    init() throws {
        folder = try WorkedFolder()
        try folder.field.inspections.update("inspection-1", by: folder.mara) { $0.assignment = "assignment-1" }
    }

    private func assignment() throws -> Assignment { try #require(try field.assignments.find("assignment-1")) }

    /// The gateway accepts the opening from the inspector, from the person who assigned the work, and from supervisors.
    @Test(arguments: [
        ("mara", DeletedWork.opened("assignment-1")), ("ines", .opened("assignment-1")),
        ("sven", .left("assignment-1")),
    ])
    func itIsToBeDoneAgainWhenTheInspectionIsDeleted(user: String, outcome: DeletedWork) throws {
        try field.lifeCycle.submit("inspection-1", by: folder.mara)
        let inspection = try folder.inspection()
        let author = folder.author(user, hours: 1)
        #expect(try field.assignedWork.openAssignment(ofDeleted: inspection, by: author) == outcome)
        #expect(try assignment().status == (outcome == .left("assignment-1") ? .done : .open))
    }

    @Test func whatIsNotDoneByItIsLeftAlone() throws {
        #expect(try field.assignedWork.openAssignment(ofDeleted: folder.inspection(), by: folder.mara) == .nothing)
        try folder.addInspection("inspection-2") { $0.assignment = "assignment-9" }
        let other = try folder.inspection("inspection-2")
        #expect(try field.assignedWork.openAssignment(ofDeleted: other, by: folder.mara) == .nothing)
        try field.assignedWork.reopenAssignment(of: other, by: folder.mara)
        #expect(try assignment().status == .open)
    }

    /// It was sent as open since then.
    @Test func whatComesBackAsHandedInHasDoneIt() throws {
        try field.assignedWork.closeAssignment(ofReturned: "inspection-1", by: folder.mara)
        #expect(try assignment().status == .open, "a draft has done nothing")
        try field.inspections.update("inspection-1", by: folder.mara) { $0.status = .submitted }
        try field.assignedWork.closeAssignment(ofReturned: "inspection-1", by: folder.author("sven"))
        #expect(try assignment().status == .open, "it is not sven's")
        try field.assignedWork.closeAssignment(ofReturned: "inspection-1", by: folder.mara)
        #expect(try assignment().status == .done && assignment().inspection == "inspection-1")
    }

    @Test func whoDidNotGetItDoesNotReportIt() throws {
        try field.lifeCycle.submit("inspection-1", by: folder.author("sven", hours: 1))
        #expect(try assignment().status == .open && folder.inspection().status == .submitted)
    }
}
