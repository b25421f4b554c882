import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Records that one user deleted while another changed them: kept or deleted is a question of its own.
@Suite struct ConflictDeletionTests {
    private func contested(_ shell: Shell, deletedToo: Bool = false) async throws -> String {
        try await shell.contestedDraft(deletedToo: deletedToo)
    }

    private func record(_ shell: Shell) throws -> Inspection? { try shell.field.inspections.all().records.first }

    @Test func aDeletionSaysWhoMadeIt() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "d")
        try shell.field.inspections.update(id, by: author) {
            $0.envelope.rest["conflicts"] = [
                ["deleted": true, "by": "mara", "device": "old-laptop", "at": "2026-03-04T09:00:00Z"]
            ]
        }
        let text = try ConflictText(try #require(try shell.field.conflicts.all().first), session: shell.session)
        #expect(text.reportLines == ["Deleted by mara on old-laptop, 10:00 today"])
        let transcript = try await shell.type("conflicts show 1", width: 200)
        #expect(
            transcript.contains(
                "deleted by mara on old-laptop, 10:00 today, while it was changed elsewhere; the change counts"))
    }

    /// There is no other way to decide between keeping and deleting.
    @Test func theChangeOfADeletedRecordIsNamed() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "d")
        try shell.field.inspections.update(id, by: author) {
            $0.score = 51
            $0.envelope.rest["conflicts"] = [["deleted": true, "by": "ines", "at": "2026-03-04T09:00:00Z"]]
        }
        let transcript = try await shell.type("conflicts show 1", width: 200)
        #expect(transcript.contains("changed by mara on d, 11:15 today: Score 51\n"), "\(transcript)")
    }

    /// A reviewer would read one of two texts otherwise.
    @Test func whatIsToBeDecidedInAFindingIsShownWithItsInspection() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let finding = try #require(try shell.field.findings.all().records.first)
        #expect(try await !shell.type("list inspections", "show 1").contains("To decide"))
        try shell.field.findings.update(finding.id, by: shell.session.author()) {
            $0.envelope.rest["conflicts"] = [
                ["field": "text", "value": "Dust", "by": "mara"], ["field": "text", "value": "Dirt", "by": "ines"],
            ]
        }
        let shown = try await shell.type("list inspections", "show 1", width: 200)
        let short = RecordReference.short(finding.id, kind: .finding)
        #expect(shown.contains("To decide in its findings"), "\(shown)")
        #expect(shown.contains("See it: conflicts show \(short)"), "\(shown)")
    }

    /// Theirs is not offered where two others gave one.
    @Test func sidesThatMeanNothingAreNotNamed() throws {
        let shell = try Shell()
        let ines = Author(name: "ines", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "d")
        try shell.field.sites.update("site-mill", by: ines) {
            $0.notes = "a"
            $0.envelope.rest["conflicts"] = [
                ["field": "notes", "value": "a", "by": "ines"], ["field": "notes", "value": "b", "by": "tomas"],
                ["field": "notes", "value": "c", "by": "olga"],
            ]
        }
        try shell.signIn("mara")
        let text = try ConflictText(try #require(try shell.field.conflicts.all().first), session: shell.session)
        #expect(text.advice(number: "1") == "Decide: conflicts take 1 current, or notes=VALUE")
    }

    /// A laptop that syncs for the first time does not hear that the inspection was deleted.
    @Test(arguments: ["n", "y"]) func aFindingWithoutItsInspectionIsAskedAbout(answer: String) async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let finding = try #require(try shell.field.findings.all().records.first)
        try shell.acknowledge(.finding, finding.id)
        try shell.field.findings.update(finding.id, by: shell.session.author()) { $0.inspection = "inspection-gone" }
        let short = RecordReference.short(finding.id, kind: .finding)
        let asked = try await shell.type("edit \(short) notes=x", answer, width: 200)
        #expect(asked.contains("is not on this laptop: it may be deleted"), "\(asked)")
        #expect(try shell.field.findings.find(finding.id)?.notes == (answer == "y" ? "x" : nil), "\(asked)")
    }

    /// Where nobody is asked, too.
    @Test func aFindingWithoutItsInspectionSaysSo() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let finding = try #require(try shell.field.findings.all().records.first)
        try shell.acknowledge(.finding, finding.id)
        let short = RecordReference.short(finding.id, kind: .finding)
        let before = try await shell.type("list findings", "show \(short)", "edit \(short) notes=x --yes", width: 200)
        #expect(!before.contains("inspection not here") && !before.contains("not on this laptop"), "\(before)")
        try shell.field.findings.update(finding.id, by: shell.session.author()) { $0.inspection = "inspection-gone" }
        let after = try await shell.type("list findings", "show \(short)", "edit \(short) notes=y --yes", width: 200)
        #expect(after.contains("(inspection not here) Dust"), "\(after)")
        #expect(after.contains("gone (not on this laptop)"), "\(after)")
        #expect(after.contains("is not on this laptop: it may be deleted, and then no one sees"), "\(after)")
    }

    /// What the list on the screen says of numbers stays so.
    @Test func numbersOutliveAnUndo() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("sites", "edit 2 phone=1", "undo", "show 1", width: 200)
        #expect(transcript.contains("is as it was before") && transcript.contains("Old mill"), "\(transcript)")
    }

    @Test func aDeletionThatLostIsDecided() async throws {
        let shell = try Shell()
        _ = try await contested(shell, deletedToo: true)
        let first = try await shell.type("conflicts", "conflicts show 1", "conflicts take 1 keep", "conflicts")
        #expect(first.contains("deleted or kept, Fridge °C, Score"))
        let ways =
            "Decide: conflicts take NUMBER mine, or theirs. Where it is deleted or kept: conflicts take NUMBER keep, or delete"
        #expect(first.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(ways), "\(first)")
        let lost = "somebody deleted it, or the gateway lost it, while it was changed elsewhere; the change counts"
        #expect(first.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(lost), "\(first)")
        #expect(first.contains(", Old mill, 2026-03-04 routine is kept."))
        #expect(
            try shell.field.conflicts.all().first?.deletion == nil
                && shell.field.conflicts.all().first?.fields.count == 2)
        let other = try Shell()
        _ = try await contested(other, deletedToo: true)
        _ = try await other.type("conflicts take 1 delete --yes")
        #expect(try record(other) == nil)
    }

    /// Two hundred questions of a restore are one.
    @Test func allThatWereDeletedAreKeptAtOnce() async throws {
        let shell = try Shell()
        let id = try await contested(shell, deletedToo: true)
        let author = try shell.session.author()
        try shell.field.sites.update("site-mill", by: author) { $0.envelope.rest["conflicts"] = [["deleted": true]] }
        let transcript = try await shell.type(
            "conflicts", "conflicts take all keep", "n", "conflicts take all keep", "y", "conflicts take all keep",
            width: 300)
        #expect(transcript.contains("To keep all that were deleted: conflicts take all keep"), "\(transcript)")
        #expect(
            transcript.contains("Keep all of them?") && transcript.contains("Nothing was decided."), "\(transcript)")
        #expect(transcript.contains("2 records are kept."), "\(transcript)")
        #expect(transcript.contains("There is no deleted record to decide about."), "\(transcript)")
        let left = try shell.field.conflicts.all()
        #expect(left.map(\.id) == [id] && left.allSatisfy { $0.deletion == nil && $0.fields.count == 2 })
        _ = try await shell.type("undo")
        #expect(try shell.field.conflicts.all().filter { $0.deletion != nil }.count == 2)
    }

    /// Whether a record goes is not decided along with its fields.
    @Test func fieldsAreDecidedApartFromADeletion() async throws {
        let shell = try Shell()
        _ = try await contested(shell, deletedToo: true)
        let transcript = try await shell.type("conflicts take 1 mine", "conflicts")
        #expect(
            transcript.contains(
                "Decided: Fridge °C is 4, Score is 80. Still to decide: whether it is deleted or kept; see: conflicts"),
            "\(transcript)")
        #expect(transcript.contains("Decide: conflicts take NUMBER keep, or delete\n"), "\(transcript)")
        #expect(!transcript.contains("take NUMBER mine"), "\(transcript)")
        let left = try #require(try shell.field.conflicts.all().first)
        #expect(left.fields.isEmpty && left.deletion != nil)
    }

    /// A site whose id is the inspection's is another record.
    @Test func aDecidedDeletionTakesItsOwnRecord() async throws {
        let shell = try Shell()
        let id = try await contested(shell, deletedToo: true)
        try shell.field.sites.add(
            Site(id: id, name: "Same id", address: Address(), district: .unknown),
            by: Author(name: nil, moment: Timestamp(secondsSince1970: 0)))
        let transcript = try await shell.type("conflicts take 1 delete --yes")
        #expect(try record(shell) == nil, "\(transcript)")
        #expect(try shell.field.sites.find(id) != nil)
    }
}
