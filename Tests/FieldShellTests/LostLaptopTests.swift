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
        #expect(try shell.field.conflicts.all().isEmpty, "nobody has deleted anything")
    }

    @Test func noLeavesThemAsTheyAre() async throws {
        let shell = try Shell()
        let ids = try await lost(shell)
        let transcript = try await shell.type("outbox retry of sofia", "n", width: 300)
        #expect(transcript.contains("Nothing was changed."), "\(transcript)")
        for id in ids { #expect(try body(of: id, in: shell)?["createdBy"] == "sofia") }
        let refused = try shell.field.outbox.all()
        #expect(refused.count == ids.count && refused.allSatisfy { $0.awaits == .anotherLaptop }, "\(refused)")
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

    /// An inspection that ines has reviewed, and that the gateway has as it was before.
    private func reviewed(
        _ shell: Shell, as status: Inspection.Status, of creator: String = "mara"
    ) async throws -> String {
        try shell.signIn(creator)
        _ = try await shell.type("new inspection mill score=60 --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.signIn("ines")
        try shell.field.inspections.update(id, by: try shell.session.author()) { inspection in
            inspection.status = status
            if status == .returned { inspection.review = "score it again" }
        }
        try shell.acknowledge(.inspection, id)
        try shell.signIn("mara")
        try shell.refuse(.inspection, id, Self.otherChange)
        return id
    }

    private func revision(of id: String, in shell: Shell) throws -> LocalRevision {
        try #require(try shell.store().revision(of: id, in: RecordKind.inspection.collection))
    }

    /// The gateway takes an approval and a return from nobody but who gave them: what was typed since the backup goes as far
    /// as its inspector may bring it.
    @Test(arguments: [(Inspection.Status.approved, "submitted"), (.returned, "draft")])
    func aReviewIsAskedAbout(status: Inspection.Status, sent: String) async throws {
        let shell = try Shell()
        let id = try await reviewed(shell, as: status)
        let transcript = try await shell.type("outbox retry of ines", "y", "outbox", width: 300)
        #expect(transcript.contains("The gateway has refused nothing."), "\(transcript)")
        let body = try #require(try body(of: id, in: shell))
        #expect(body["status"] == .string(sent) && body["changedBy"] == "mara" && body["score"] == 60, "\(body)")
        #expect(body["review"] == nil)
        let open = try #require(try shell.field.conflicts.conflict(of: .inspection, id)).fields
        let others = open.first { $0.path == RecordConflict.status }?.others
        #expect(others?.map(\.value) == [JSONValue.string(status.rawValue)] && others?.map(\.stamp.by) == ["ines"])
        #expect(try revision(of: id, in: shell).remoteRevision != nil, "it follows what the gateway has")
    }

    /// Whether it was handed in at the gateway is not known here.
    @Test func aReviewOfTheWorkOfOthersIsPutTogetherWithWhatIsThere() async throws {
        let shell = try Shell()
        let id = try await reviewed(shell, as: .approved, of: "sofia")
        _ = try await shell.type("outbox retry of ines", "y", width: 300)
        let body = try #require(try body(of: id, in: shell))
        #expect(body["status"] == "submitted" && body["createdBy"] == "sofia" && body["changedBy"] == "mara")
        let offered = try revision(of: id, in: shell)
        #expect(offered.remoteRevision == nil && offered.history.ancestors.isEmpty)
    }

    /// The backup has an approval, or a reason, of which this laptop knows nothing.
    @Test(arguments: ["only a supervisor takes an approval back", "only a supervisor says why it is returned"])
    func whatIsRefusedForAnOlderReviewIsPutTogetherWithIt(said: String) async throws {
        let shell = try Shell()
        let id = try await reviewed(shell, as: .approved)
        _ = try await shell.type("outbox retry of ines", "y", width: 300)
        try shell.refuse(.inspection, id, said)
        try shell.field.outbox.settleUnasked(by: shell.session.author())
        #expect(try shell.field.outbox.all().isEmpty && revision(of: id, in: shell).remoteRevision == nil)
        #expect(try body(of: id, in: shell)?["status"] == "submitted")
    }

    /// She handed it in again before she heard that the gateway had lost the return.
    @Test func whatFollowsALostReturnIsSentWithoutItsReason() async throws {
        let shell = try Shell()
        let id = try await reviewed(shell, as: .returned)
        try shell.field.inspections.update(id, by: try shell.session.author()) { $0.status = .submitted }
        try shell.refuse(.inspection, id, "only a supervisor says why it is returned")
        let number = try #require(try shell.field.outbox.all().first).number
        _ = try await shell.type("outbox retry \(number)", width: 300)
        let body = try #require(try body(of: id, in: shell))
        #expect(body["review"] == nil && body["status"] == "submitted" && body["score"] == 60)
        #expect(try revision(of: id, in: shell).remoteRevision == nil)
    }

    /// A version that was sent and lost is none to go back to.
    @Test(arguments: [false, true]) func whatIsDiscardedIsFetched(isEdited: Bool) async throws {
        let shell = try Shell()
        let id = try #require(try await lost(shell, count: 1, said: Self.otherChange).first)
        _ = try await shell.type("outbox retry of sofia", "y", width: 300)
        if isEdited { _ = try await shell.type("edit \(RecordReference.short(id, kind: .inspection)) score=61") }
        try shell.refuse(.inspection, id, "only a supervisor hands work to somebody else")
        let number = try #require(try shell.field.outbox.all().first).number
        let gone = try await shell.type("outbox discard \(number)", "y", "outbox", width: 300)
        #expect(gone.contains("The next sync brings the gateway's version"), "\(gone)")
        #expect(!gone.contains("is the gateway's version again"), "\(gone)")
        #expect(try body(of: id, in: shell) == nil && shell.field.outbox.all().isEmpty)
    }

    @Test func namesOfOthersAreNotMeant() async throws {
        let shell = try Shell()
        _ = try await lost(shell)
        let transcript = try await shell.type("outbox retry of Sofia", "outbox retry of", "outbox keep 1 2", width: 300)
        #expect(transcript.contains("Nothing in the outbox waits for the laptop of 'Sofia'."), "\(transcript)")
        #expect(transcript.contains("It waits for: sofia"), "\(transcript)")
        #expect(transcript.contains("Say whose laptop is lost: outbox retry of NAME."), "\(transcript)")
        #expect(transcript.contains("'outbox keep' takes one record."), "\(transcript)")
        #expect(try shell.field.outbox.all().count == 3)
    }
}
