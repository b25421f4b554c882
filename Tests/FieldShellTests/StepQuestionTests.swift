import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell
@testable import FieldSync

/// What `submit` and `return` ask before they hand an inspection on.
@Suite struct StepQuestionTests {
    private func record(_ shell: Shell) throws -> Inspection? { try shell.field.inspections.all().records.first }

    @Test func nothingIsHandedInUnderTwoValues() async throws {
        let shell = try Shell()
        _ = try await shell.contestedDraft()
        // One of them has a value of hers on two laptops.
        let today = try await shell.type("today")
        #expect(today.contains("1 record with something to decide: conflicts"), "\(today)")
        let no = try await shell.type("list", "submit 1", "n")
        #expect(no.contains("Something is still to be decided: Fridge °C, Score. Submit it all the same? y or n"))
        #expect(no.contains("Nothing was changed. Decide first: conflicts"))
        #expect(try record(shell)?.status == .draft)
        shell.use(SilentDialogue { _ in })
        let id = try #require(try record(shell)?.id)
        await #expect(throws: UsageError.self) { try await CommandRunner(shell.session).run(.submit(record: id)) }
        _ = try await shell.type("submit \(id)", "y")
        #expect(try record(shell)?.status == .submitted)
        try shell.signIn("ines")
        let approval = try await shell.type("approve \(id)", "n")
        #expect(approval.contains("Approve it all the same?"))
        #expect(try record(shell)?.status == .submitted)
    }

    /// An inspection that is returned with an undecided value goes back with that question.
    @Test func nothingIsReturnedUnderTwoValuesUnasked() async throws {
        let shell = try Shell()
        let id = try await shell.contestedDraft()
        try shell.field.inspections.update(id, by: Author(name: "tomas", moment: Timestamp(secondsSince1970: 0))) {
            $0.inspector = "tomas"
            $0.status = .submitted
        }
        try shell.signIn("ines")
        let asked = try await shell.type("show \(id)", "return \(id) which door", "n")
        #expect(asked.contains("Return it all the same?") && asked.contains("Decide first: conflicts"), "\(asked)")
        #expect(try record(shell)?.status == .submitted)
        _ = try await shell.type("return \(id) which door", "y")
        #expect(try record(shell)?.status == .returned)
    }

    /// There is no question about an impossible step.
    @Test func whatCannotBeIsSaidBeforeAnythingIsAsked() async throws {
        let shell = try Shell()
        let id = try await shell.contestedDraft()
        let tomas = Author(name: "tomas", moment: Timestamp(secondsSince1970: 0))
        try shell.field.inspections.update(id, by: tomas) { $0.answers = [:] }
        let submitted = try await shell.type("submit \(id)")
        #expect(submitted.contains("Not submitted yet. Still to answer: Fridge °C."), "\(submitted)")
        try shell.field.inspections.update(id, by: tomas) {
            $0.inspector = "tomas"
            $0.status = .returned
        }
        try shell.signIn("ines")
        let reviewed = try await shell.type("approve \(id)", "return \(id) which door")
        #expect(reviewed.contains("is returned; it cannot be approved."), "\(reviewed)")
        #expect(reviewed.contains("is returned; it cannot be returned."), "\(reviewed)")
        #expect(!(submitted + reviewed).contains("all the same?"), "\(submitted + reviewed)")
    }

    /// A clock that was wrong once leaves a day that no user has typed.
    @Test func whatIsDatedAheadIsNotHandedInSilently() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try record(shell)?.id)
        let author = try shell.session.author()
        try shell.field.inspections.update(id, by: author) { $0.date = $0.date.adding(days: 400) }
        let no = try await shell.type("submit \(id)", "n")
        #expect(no.contains("400 days ahead. That is its day. Submit it all the same? y or n"), "\(no)")
        #expect(no.contains("Nothing was changed. Correct its day: edit "))
        #expect(try record(shell)?.status == .draft)
        _ = try await shell.type("submit \(id)", "y")
        #expect(try record(shell)?.status == .submitted)
    }
}
