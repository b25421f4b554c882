import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// An inspection that was handed in becomes a draft again.
@Suite struct SubmissionTakenBackTests {
    /// An inspection that is submitted only on this laptop can still be changed.
    @Test func whatIsClosedAfterSubmittingIsSubmittedAgain() async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill form=kitchen fridge=4 pests=yes which=mice --yes", "submit 1", "edit 1 pests=no --yes")
        #expect(try shell.field.inspections.all().records.map(\.status) == [.draft])
    }

    /// Whose it is goes on with it.
    @Test func whatSomebodyElseHasSubmittedIsTakenBack() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill inspector=mara --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let eve = Author(name: "eve", moment: Timestamp(secondsSince1970: 1_772_619_307))
        _ = try shell.field.lifeCycle.submit(id, by: eve)
        try shell.acknowledge(.inspection, id)
        let transcript = try await shell.type(
            "list", "edit 1 notes=x", "edit 1 status=draft", "edit 1 notes=x", width: 400)
        #expect(transcript.contains("Somebody else has submitted this inspection of yours"), "\(transcript)")
        let short = RecordReference.short(id, kind: .inspection)
        #expect(transcript.contains("See who: log \(short). Take that back: edit \(short)"), "\(transcript)")
        let inspection = try #require(try shell.field.inspections.find(id))
        #expect(inspection.status == .draft && inspection.notes == "x" && inspection.submittedAt == nil)
        #expect(!transcript.contains("A reviewer can return"), "\(transcript)")
        // What one has handed in oneself only a supervisor returns.
        _ = try await shell.type("submit 1")
        try shell.acknowledge(.inspection, id)
        #expect(try await shell.type("edit 1 status=draft").contains("can no longer be changed"))
    }

    /// So it is with findings, and where it was handed in with questions open.
    @Test func whatIsPartOfItIsTakenBackWithIt() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill form=kitchen inspector=mara --finding Dust --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let eve = Author(name: "eve", moment: Timestamp(secondsSince1970: 1_772_619_307))
        try shell.field.inspections.update(id, by: eve) { $0.status = .submitted }
        try shell.acknowledge(.inspection, id)
        let transcript = try await shell.type("show \(id)", "list findings", "edit 1 text=Soot", width: 200)
        #expect(transcript.contains("Still to answer  Fridge °C"), "\(transcript)")
        let stays = try #require(
            try SubmittedWork(session: shell.session).staysSubmitted(RecordReference(.inspection, id: id)))
        #expect(stays.hasPrefix("It stays submitted. Still to answer: Fridge °C"), "\(stays)")
        #expect(stays.hasSuffix("Take that back: edit \(RecordReference.short(id, kind: .inspection)) status=draft"))
        #expect(transcript.contains("which somebody else has submitted, so it can no longer be changed."))
        let short = RecordReference.short(id, kind: .inspection)
        #expect(transcript.contains("Take that back: edit \(short) status=draft"), "\(transcript)")
        #expect(!transcript.contains("A reviewer can return"), "\(transcript)")
    }
}
