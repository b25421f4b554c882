import DocumentValues
import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

/// Decisions about an approved inspection, by colleagues of whom the laptop does not know whether they are supervisors.
@Suite struct ApprovedConflictTests {
    private static func approved(_ shell: Shell) async throws {
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=80 --yes")
        let record = try #require(try shell.field.inspections.all().records.first)
        let values: [JSONValue] = [80, 60].map { score in
            ["field": "score", "value": score, "by": score == 80 ? "mara" : "kim", "at": "2026-03-04T10:00:00Z"]
        }
        try shell.field.inspections.update(
            record.id, by: Author(name: "olga", moment: Timestamp(secondsSince1970: 1_772_600_000))
        ) {
            $0.inspector = "mara"
            $0.status = .approved
            $0.envelope.rest["conflicts"] = .array(values)
        }
    }

    /// The gateway would refuse it, and nobody could edit an approved record then.
    @Test(arguments: [("kim", true), ("olga", false)])
    func whoHasNeverSupervisedIsAsked(user: String, isAsked: Bool) async throws {
        let shell = try Shell()
        try await Self.approved(shell)
        try shell.signIn(user)
        // Where nothing is asked, the answer is a line that means nothing.
        let transcript = try await shell.type("conflicts take 1 60", "n")
        #expect(transcript.contains("is approved. Decide all the same?") == isAsked, "\(transcript)")
        #expect(transcript.contains("Nothing was decided.") == isAsked, "\(transcript)")
        let score = try shell.field.inspections.all().records.first?.score
        #expect(score == (isAsked ? 80 : 60))
    }
}

/// A question that was opened on one laptop while the inspection was handed in on another.
@Suite struct UnansweredApprovalTests {
    @Test(arguments: [("n", false), ("y", true)]) func itIsNamedBefore(answer: String, isApproved: Bool) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill form=kitchen fridge=4 pests=yes --yes")
        let id = try #require(try shell.field.inspections.all().records.first?.id)
        try shell.field.inspections.update(
            id, by: Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_600_000))
        ) { $0.status = .submitted }
        try shell.signIn("olga")
        let short = RecordReference.short(id, kind: .inspection)
        let transcript = try await shell.type("approve \(short)", answer, width: 400)
        #expect(
            transcript.contains("Not answered: Which. Approve it all the same?"), "\(transcript)")
        #expect(try shell.field.inspections.find(id)?.status == (isApproved ? .approved : .submitted), "\(transcript)")
        if !isApproved { #expect(transcript.contains("Send it back: return \(short) REASON"), "\(transcript)") }
    }
}
