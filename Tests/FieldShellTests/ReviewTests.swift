import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Supervisors approve and return inspections.
@Suite struct ReviewTests {
    /// A colleague reads whom it would be returned to, and the reviewer by what.
    @Test(arguments: ["ines", "olga"]) func aColleaguesWorkIsReturnedToThem(user: String) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --finding Dust --yes", "submit 1")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let finding = try #require(try shell.field.findings.all().records.first).id
        try shell.acknowledge(.inspection, id)
        try shell.acknowledge(.finding, finding)
        try shell.signIn(user)
        let short = RecordReference.short(id, kind: .inspection)
        let own = try await shell.type("edit \(short) notes=x --yes", width: 400)
        #expect(own.contains("A reviewer can return it to mara: return \(short) REASON"), "\(own)")
        let part = RecordReference.short(finding, kind: .finding)
        let text = try await shell.type("edit \(part) text=x --yes", width: 400)
        #expect(text.contains("A reviewer can return the inspection to mara: return \(short) REASON"), "\(text)")
    }

    @Test func submittedWorkCanOnlyBeReturned() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --yes", "submit 1")
        try shell.acknowledge(.inspection, try #require(try shell.field.inspections.all().records.first).id)
        let first = try await shell.type("edit 1 score=91", "delete 1", "y", "approve 1 now")
        try shell.signIn("olga")
        let second = try await shell.type("return 1 which door?")
        try shell.signIn("mara")
        let third = try await shell.type("edit 1 score=91", "submit 1")
        try shell.signIn("olga")
        let text = try await shell.withoutIDs(first + second + third + shell.type("approve 1", "return 1 no"))
        #expect(
            text.contains(
                "The inspection ID is submitted, so it can no longer be changed. "
                    + "A reviewer can return it to you."))
        #expect(text.contains("'approve' takes fewer arguments. Use: approve RECORD"))
        #expect(text.contains("Returned ID to mara."))
        #expect(text.contains("Approved ID."))
        #expect(text.contains("It is approved. Take the approval back, and return it? y or n"))
        #expect(try shell.field.inspections.all().records.map(\.score) == [91])
    }

    @Test func nobodyApprovesTheirOwnWork() async throws {
        let shell = try Shell()
        let first = try await shell.type("new inspection mill score=90 --yes", "submit 1", "approve 1")
        #expect(first.contains("Supervisors approve, and nobody has signed in here. Sign in with: login"))
        // It has no creator yet: the machine's user is no user of the gateway.
        #expect(try shell.field.inspections.all().records.map(\.envelope.createdBy) == [nil])
        try shell.signIn("mara")
        let second = try await shell.type("new inspection mill score=91 --yes", "submit 2", "approve 2")
        #expect(second.contains("This inspection is your own: somebody else has to approve it."))
        #expect(try shell.field.inspections.all().records.map(\.status) == [.submitted, .submitted])
    }

    /// The lines were typed right, and another program reads the exit status.
    @Test(arguments: ["mara", "olga"]) func workThatIsClosedIsNoWrongUse(user: String) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --yes", "submit 1")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.acknowledge(.inspection, id)
        try shell.signIn(user)
        for line in ["edit \(id) notes=x", "delete \(id) --yes"] {
            let dialogue = ScriptedDialogue(lines: [line])
            shell.use(dialogue)
            #expect(await shell.loop().run() == 1, "\(dialogue.transcript)")
        }
        #expect(try shell.field.inspections.find(id)?.status == .submitted)
    }
}
