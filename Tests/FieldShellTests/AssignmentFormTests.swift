import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

/// The form that an assignment asks for is named by a line alone.
@Suite struct AssignmentFormTests {
    @Test func aFormThatOthersHaveChosenSinceIsReplacedOnlyWhenItWasSeen() async throws {
        let shell = try Shell()
        try shell.signIn("ines")
        _ = try await shell.type("new assignment mill inspector=mara due=today --yes")
        var assignment = try #require(try shell.field.assignments.all().records.first)
        let id = RecordReference.short(assignment.id, kind: .assignment)
        _ = try await shell.type("show \(id)")
        assignment.form = "form-well"
        assignment.envelope.changedBy = "olga"
        assignment.envelope.changedAt = Timestamp(secondsSince1970: 1_772_619_300)
        try shell.field.collection(of: .assignment).save(bodies: [(assignment.id, assignment.object.bytes)])
        let refused = try await shell.type("edit \(id) form=kitchen", width: 200)
        #expect(refused.contains("form became 'form-well' in the meantime (olga)"), "\(refused)")
        #expect(try shell.field.assignments.find(assignment.id)?.form == "form-well")
        let edited = try await shell.type("edit \(id) form=kitchen", width: 200)
        #expect(edited.contains("The assignment \(id) asks for the form Kitchen now."), "\(edited)")
        #expect(try shell.field.assignments.find(assignment.id)?.form == "form-kitchen")
    }
}
