import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// What supervisors alone decide and do.
@Suite struct ContestedReviewTests {
    /// An inspection of mara's in a state that the gateway has.
    private func inspection(
        _ shell: Shell, _ status: Inspection.Status, conflicts: [JSONValue] = []
    ) async throws -> (id: String, short: String) {
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let olga = Author(name: "olga", moment: Timestamp(secondsSince1970: 1_772_600_000))
        try shell.field.inspections.update(id, by: olga) {
            $0.status = status
            $0.inspector = "mara"
            if !conflicts.isEmpty { $0.envelope.rest["conflicts"] = .array(conflicts) }
        }
        try shell.acknowledge(.inspection, id)
        return (id, RecordReference.short(id, kind: .inspection))
    }

    private func status(_ shell: Shell) throws -> Inspection.Status? {
        try shell.field.inspections.all().records.first?.status
    }

    @Test func twoSupervisorsDisagreeAndTheInspectorIsNotAsked() async throws {
        let shell = try Shell()
        let conflicts = [("approved", "olga"), ("returned", "sofia")].map { value, by in
            Shell.contestedEntry("status", value: .string(value), by: by, device: "desk")
        }
        let (id, short) = try await inspection(shell, .approved, conflicts: conflicts)
        let asked = try await shell.type(
            "conflicts", "show \(short)", "conflicts take \(short) current", "conflicts take \(short) status=approved",
            "conflicts take \(short) status=returned", "conflicts take \(short) mine", "conflicts take \(short) tomas",
            width: 300)
        #expect(asked.contains("There is nothing to decide."), "\(asked)")
        #expect(asked.contains("A supervisor decides: Status\n"), "\(asked)")
        let refusal = "Only a supervisor may decide that, and this inspection is your own."
        #expect(asked.components(separatedBy: refusal).count == 6, "\(asked)")
        // No advice that does not help.
        #expect(!asked.contains("Say current"), "\(asked)")
        #expect(!asked.contains("You can confirm what was approved"), "\(asked)")
        #expect(try shell.field.conflicts.conflict(of: .inspection, id) != nil)
        try shell.signIn("olga")
        let decided = try await shell.type("conflicts", "conflicts take \(short) status=returned", width: 300)
        #expect(decided.contains("Decided: Status is returned."), "\(decided)")
        #expect(try status(shell) == .returned && shell.field.conflicts.conflict(of: .inspection, id) == nil)
    }

    /// Of a return against an approval.
    @Test func mineIsTheApprovalWithoutAReason() async throws {
        let shell = try Shell()
        let conflicts = [
            Shell.contestedEntry("status", value: "approved", by: "olga", device: "desk"),
            Shell.contestedEntry("status", value: "returned", by: "sofia", device: "pad"),
            Shell.contestedEntry("review", value: "again", by: "sofia", device: "pad"),
        ]
        let (id, short) = try await inspection(shell, .approved, conflicts: conflicts)
        try shell.signIn("olga")
        let decided = try await shell.type("conflicts take \(short) mine", width: 300)
        #expect(
            try status(shell) == .approved && shell.field.conflicts.conflict(of: .inspection, id) == nil, "\(decided)")
    }

    /// A restored inspection has its former state as a question, which the next review answers.
    @Test(arguments: ["approve", "return"]) func aNewReviewDecidesTheState(step: String) async throws {
        let shell = try Shell()
        let conflicts = [("draft", "mara"), ("returned", "olga")].map { value, by in
            Shell.contestedEntry("status", value: .string(value), by: by, device: "desk")
        }
        let (id, short) = try await inspection(shell, .submitted, conflicts: conflicts)
        try #require(try shell.field.conflicts.conflict(of: .inspection, id) != nil)
        try shell.signIn("olga")
        let command = step == "approve" ? "approve \(short)" : "return \(short) again"
        let transcript = try await shell.type(command, "y", width: 300)
        #expect(try status(shell) == (step == "approve" ? .approved : .returned), "\(transcript)")
        #expect(try shell.field.conflicts.conflict(of: .inspection, id) == nil, "\(transcript)")
    }

    @Test(arguments: ["y", "n"]) func anApprovalByMistakeIsReturned(answer: String) async throws {
        let shell = try Shell()
        let (_, short) = try await inspection(shell, .approved)
        try shell.signIn("olga")
        let transcript = try await shell.type("return \(short) by mistake", answer, width: 300)
        #expect(transcript.contains("It is approved. Take the approval back, and return it?"), "\(transcript)")
        #expect(try status(shell) == (answer == "y" ? .returned : .approved), "\(transcript)")
    }

    /// Who has work of their own and never supervised is asked, and then is taken at their word.
    @Test(arguments: ["approve", "return"]) func whoIsNoSupervisorIsWarned(step: String) async throws {
        let shell = try Shell()
        let (_, short) = try await inspection(shell, .submitted)
        try shell.signIn("tomas")
        _ = try await shell.type("new inspection quay --yes")
        let command = step == "approve" ? "approve \(short)" : "return \(short) why"
        let no = try await shell.type(command, "n", width: 300)
        #expect(no.contains("The gateway lets only supervisors approve or return an inspection."), "\(no)")
        #expect(no.contains("Nothing was changed. Ask a supervisor."), "\(no)")
        let yes = try await shell.type(command, "y", width: 300)
        let record = try shell.field.inspections.all().records.first { $0.inspector == "mara" }
        #expect(record?.status == (step == "approve" ? .approved : .returned), "\(yes)")
    }

    /// A user who may return the inspection is not sent to another one.
    @Test(arguments: [("olga", true), ("mara", false)]) func theSupervisorReturnsBeforeDeleting(
        user: String, mayReturn: Bool
    ) async throws {
        let shell = try Shell()
        let (_, short) = try await inspection(shell, .submitted)
        let finding = RecordReference.short(
            try #require(try shell.field.findings.all().records.first).id, kind: .finding)
        try shell.signIn(user)
        let transcript = try await shell.type("delete \(finding)", "delete \(short)", width: 300)
        let way = "so it cannot be deleted. Return it first: return \(short) REASON"
        #expect(transcript.components(separatedBy: way).count == (mayReturn ? 3 : 1), "\(transcript)")
    }
}
