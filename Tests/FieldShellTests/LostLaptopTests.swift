import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// After a restore from a backup, records wait for the laptop of who made them. That one may be lost.
@Suite struct LostLaptopTests {
    private static let creator = "the record says that sofia created it, and you are somebody else"
    private static let otherChange =
        "the record says that sofia changed it last, and you are somebody else, as it is here"

    /// Inspections of sofia's that mara's laptop has received, and that the gateway has lost.
    private func lost(_ shell: Shell, count: Int = 3, said: String = creator) async throws -> [String] {
        try shell.signIn("sofia")
        for score in 0..<count { _ = try await shell.type("new inspection mill score=\(60 + score) --yes") }
        let ids = try shell.field.inspections.all().records.map(\.id)
        try shell.signIn("mara")
        for id in ids {
            try shell.acknowledge(.inspection, id)
            try shell.refuse(.inspection, id, said)
        }
        return ids
    }

    private func body(of id: String, in shell: Shell) throws -> JSONObject? {
        try shell.field.collection(of: .inspection).document(id: id)?.body
    }

    @Test func oneAnswerSendsAll() async throws {
        let shell = try Shell()
        let ids = try await lost(shell)
        let transcript = try await shell.type("outbox retry all", "outbox retry of sofia", "y", "outbox", width: 300)
        #expect(transcript.contains("3 records of others wait for the laptop"), "\(transcript)")
        #expect(transcript.contains("send them as yours: outbox retry of sofia"), "\(transcript)")
        #expect(transcript.contains("3 records come back when the laptop of sofia syncs."), "\(transcript)")
        #expect(transcript.contains("3 records are sent as yours with the next sync: sync"), "\(transcript)")
        #expect(transcript.contains("The gateway has refused nothing."), "\(transcript)")
        for id in ids { #expect(try body(of: id, in: shell)?["createdBy"] == "mara") }
        #expect(try shell.field.conflicts().isEmpty, "nobody has deleted anything")
    }

    @Test func noLeavesThemAsTheyAre() async throws {
        let shell = try Shell()
        let ids = try await lost(shell)
        let transcript = try await shell.type("outbox retry of sofia", "n", width: 300)
        #expect(transcript.contains("Nothing was changed."), "\(transcript)")
        for id in ids { #expect(try body(of: id, in: shell)?["createdBy"] == "sofia") }
        #expect(try shell.field.refusedRecords().allSatisfy { $0.awaits == .anotherLaptop })
    }

    /// The gateway has an older version of it, whose creator it keeps.
    @Test(arguments: ["outbox retry of sofia", "outbox retry 1"])
    func aChangeIsSentAsOnesOwn(command: String) async throws {
        let shell = try Shell()
        let id = try #require(try await lost(shell, count: 1, said: Self.otherChange).first)
        let transcript = try await shell.type("outbox", command, "y", "outbox", width: 300)
        #expect(transcript.contains("If that laptop is lost, it can be sent as"), "\(transcript)")
        #expect(transcript.contains("The gateway has refused nothing."), "\(transcript)")
        let body = try #require(try body(of: id, in: shell))
        #expect(body["createdBy"] == "sofia" && body["changedBy"] == "mara" && body["score"] == 60)
    }

    @Test func namesOfOthersAreNotMeant() async throws {
        let shell = try Shell()
        _ = try await lost(shell)
        let transcript = try await shell.type("outbox retry of Sofia", "outbox retry of", "outbox keep 1 2", width: 300)
        #expect(transcript.contains("Nothing in the outbox waits for the laptop of 'Sofia'."), "\(transcript)")
        #expect(transcript.contains("It waits for: sofia"), "\(transcript)")
        #expect(transcript.contains("Say whose laptop is lost: outbox retry of NAME."), "\(transcript)")
        #expect(transcript.contains("'outbox keep' takes one record."), "\(transcript)")
        #expect(try shell.field.refusedRecords().count == 3)
    }
}
