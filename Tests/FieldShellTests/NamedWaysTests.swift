import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// A refusal names the record as people know it, and the next step.
@Suite struct NamedWaysTests {
    @Test func anAssignmentWhoseSiteWasDeleted() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let assignment = Assignment(
            id: "assignment-a", inspector: "mara", site: "site-mill", due: shell.session.environment.today(),
            district: District("hill") ?? .unknown)
        try shell.field.assignments.add(assignment, by: try shell.session.author())
        try shell.acknowledge(.site, "site-mill")
        try shell.deleteElsewhere(.site, "site-mill")
        let transcript = try await shell.type("start assignment-a", width: 200)
        #expect(
            transcript.contains(
                "The site of this assignment, Old mill, was deleted by others. Bring it back: undo mill. Or inspect "
                    + "another: new inspection SITE"), "\(transcript)")
        _ = try await shell.type("undo mill")
        try shell.field.collection(of: .site).purge(id: "site-mill")
        let gone = try await shell.type("start assignment-a", width: 200)
        #expect(gone.contains("The site of this assignment, mill, is not on this laptop. Sync first: sync"), "\(gone)")
    }

    /// There is no more of its name to be typed.
    @Test func aSiteIsFoundByItsWholeName() async throws {
        let shell = try Shell()
        let author = try shell.session.author()
        for (id, name) in [("site-1a", "Orch"), ("site-2b", "Orch 2")] {
            try shell.field.sites.add(
                Site(id: id, name: name, address: Address(), district: District("hill") ?? .unknown), by: author)
        }
        let found = try await shell.type("show orch", width: 200)
        #expect(found.contains("Id        1a\n") && !found.contains("fits several"), "\(found)")
        shell.use(SilentDialogue { _ in })
        let error = await #expect(throws: UsageError.self) {
            try await CommandRunner(shell.session).run(.show(record: "orc"))
        }
        #expect(error?.description.contains("Type more of it, or its id.") == true, "\(String(describing: error))")
    }

    @Test func anAnswerThatDoesNotFitItsFormAnyMore() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form=kitchen fridge=4 --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        try shell.field.inspections.update(inspection.id, by: try shell.session.author()) {
            $0.answers["fridge"] = "cold"
        }
        let id = RecordReference.short(inspection.id, kind: .inspection)
        let transcript = try await shell.type("submit \(id)", width: 200)
        #expect(transcript.contains("Wrong: Fridge °C must be a number"), "\(transcript)")
        #expect(transcript.contains("Answer again: edit \(id)"), "\(transcript)")
    }

    @Test func aPhotoThatCannotBeNamedOrSavedSo() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let id = RecordReference.short(inspection.id, kind: .inspection)
        let file = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: file)
        let nowhere = shell.root.appendingPathComponent("nowhere")
        let transcript = try await shell.type(
            "attach \(id) \(file.path)", "photo rename \(id) 1 ../x.png", "photo save \(id) 1 \(nowhere.path)/x.png",
            width: 400)
        #expect(
            transcript.contains("The photo was not renamed: its name must be a file's name without a folder"),
            "\(transcript)")
        #expect(transcript.contains("There is no folder \(nowhere.path); nothing was saved."), "\(transcript)")
    }

    @Test func whatIsToBeDecidedBesideADeletion() async throws {
        let shell = try Shell()
        let id = RecordReference.short(try await shell.contestedDraft(deletedToo: true), kind: .inspection)
        let transcript = try await shell.type("conflicts show \(id)", width: 300)
        #expect(
            transcript.contains(
                "or theirs, or fridge=VALUE. Where it is deleted or kept: conflicts take \(id) keep, or: conflicts take \(id) "
                    + "delete"), "\(transcript)")
    }
}
