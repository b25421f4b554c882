import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// The value that a decision means: `mine`, `theirs`, a name or the value itself.
@Suite struct ConflictSideTests {
    private func contested(_ shell: Shell, deletedToo: Bool = false) async throws -> String {
        try await shell.contestedDraft(deletedToo: deletedToo)
    }

    private func record(_ shell: Shell) throws -> Inspection? { try shell.field.inspections.all().records.first }

    @Test(
        arguments: [
            (["conflicts take 1 theirs"], 60, 9), (["conflicts take 1 current"], 80, 9),
            (["conflicts take 1 other"], 60, 4), (["conflicts take 1 fridge=7.5 score=theirs"], 60, 7.5),
            (["conflicts take 1 mine fridge=theirs"], 80, 9),
            (["conflicts take 1 score=70", "conflicts take 1 theirs"], 70, 9),
        ] as [([String], Int, Double)])
    func deciding(lines: [String], score: Int, fridge: Double) async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        var transcript = ""
        for line in lines { transcript += try await shell.type(line) }
        let record = try #require(try record(shell))
        #expect(record.score == score && record.answers["fridge"]?.doubleValue == fridge, "\(transcript)")
        #expect(try shell.field.conflicts.all().isEmpty, "\(transcript)")
        #expect(try record.envelope.device == shell.session.settings().device)
    }

    /// A sync may bring another value after the conflict was looked at.
    @Test func aSideMeansTheValuesThatWereShown() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        _ = try await shell.type("conflicts", "conflicts show 1")
        let tomas = Author(name: "tomas", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "other")
        try shell.field.inspections.update(id, by: tomas) { $0.score = 33 }
        let refused = try await shell.type("conflicts take 1 current")
        #expect(refused.contains("There are other values than those you looked at; nothing was decided."))
        #expect(try shell.field.conflicts.all().first?.fields.count == 2)
        // Fields that did not change can be decided, and then the others.
        _ = try await shell.type("conflicts take 1 fridge=4", "conflicts show 1", "conflicts take 1 current")
        #expect(try record(shell)?.score == 33 && shell.field.conflicts.all().isEmpty)
    }

    /// Two versions of one device: the one that was typed last is mine.
    @Test func aConflictWithOneselfCanBeDecided() async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let device = try #require(try shell.session.settings().device)
        let id = try #require(try record(shell)?.id)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: device)
        func own(_ value: JSONValue, _ moment: String) -> JSONValue {
            ["field": "score", "value": value, "by": "mara", "device": .string(device), "at": .string(moment)]
        }
        try shell.field.inspections.update(id, by: author) { inspection in
            inspection.envelope.rest["conflicts"] = [
                own(80, "2026-03-04T09:00:00Z"), own(60, "2026-03-04T09:30:00Z"),
            ]
        }
        _ = try await shell.type("conflicts take 1 mine")
        #expect(try record(shell)?.score == 60 && shell.field.conflicts.all().isEmpty)
    }

    /// A supervisor looks at what two others typed: nothing is hers, so theirs is no answer, and the names are shown.
    @Test func neitherValueIsOnesOwn() async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let id = try #require(try record(shell)?.id)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "desk")
        func typed(_ value: JSONValue, by name: String) -> JSONValue {
            [
                "field": "score", "value": value, "by": .string(name), "device": .string("\(name)-laptop"),
                "at": "2026-03-04T09:00:00Z",
            ]
        }
        try shell.field.inspections.update(id, by: author) { inspection in
            inspection.envelope.rest["conflicts"] = [typed(80, by: "tom"), typed(60, by: "ben")]
        }
        let transcript = try await shell.type("conflicts take 1 theirs", "conflicts take 1 mine")
        #expect(
            transcript.contains(
                "Several values of Score are somebody else's. Say current or other, or name the person or device "
                    + "(tom, ben, tom-laptop, ben-laptop), or type the value: score=VALUE"), "\(transcript)")
        #expect(transcript.contains("No value of Score is yours."), "\(transcript)")
        _ = try await shell.type("conflicts take 1 ben")
        #expect(try record(shell)?.score == 60 && shell.field.conflicts.all().isEmpty)
    }

    @Test func whatCannotBeMeantIsSaid() async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let transcript = try await shell.type(
            "conflicts take 1", "conflicts take 2 mine", "conflicts take 1 nobody", "conflicts take 1 colour=red",
            "conflicts take 1 score=120", "conflicts take 1 keep", "conflicts show", "conflicts take 1 mine theirs")
        for part in [
            "Say what counts. Decide: conflicts take NUMBER mine, or theirs, or fridge=VALUE",
            "No conflict has the number or the id '2'. List them: conflicts",
            "No value of Fridge °C is 'nobody'. Say current or other, or name the person or device (",
            "'colour' is none of the fields to decide here: fridge, score.", "score must be 0 to 100, but is 120.",
            "Nobody has deleted this record.", "Say which: conflicts show NUMBER.",
            "'theirs' is no FIELD=VALUE.",
        ] { #expect(transcript.contains(part), "\(part) in \(transcript)") }
        #expect(try shell.field.conflicts.all().count == 1)
    }

    /// Another user changed the record before it met the other version.
    @Test func mineIsWhatWasTypedHereNoMatterWhoSavedItLater() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=66 --yes", "edit 1 score=11", "edit 1 notes=x")
        let id = try #require(try shell.field.inspections.all().records.first?.id)
        let document = try #require(try shell.field.collection(of: .inspection).document(id: id)).toMutable()
        var body = document.body
        body["score"] = 22
        body["conflicts"] = [
            Shell.contestedEntry("score", value: 11, by: "bo", device: "tablet"),
            Shell.contestedEntry("score", value: 22, by: "mara", device: "other-laptop"),
        ]
        document.setBody(body)
        try shell.field.collection(of: .inspection).save(document: document)
        try shell.signIn("mara")
        let transcript = try await shell.type("conflicts show 1", "conflicts take 1 mine")
        #expect(transcript.contains("11  (bo on tablet, 10:00 today; mine)"), "\(transcript)")
        #expect(transcript.contains("Decided: Score is 11."), "\(transcript)")
    }

    /// The menu says which answers are decisions, and a value counts by itself where only one field has it.
    @Test func aValueDecidesTheOnlyField() async throws {
        let shell = try Shell()
        let id = RecordReference.short(try await contested(shell), kind: .inspection)
        let menu = try await shell.type("edit \(id)", ":all", ".")
        #expect(menu.contains("Score: 80  (to decide)") && !menu.contains("Basin:   (to decide)"), "\(menu)")
        let text = try await shell.type("conflicts take \(id) fridge=4", "conflicts take \(id) 60")
        #expect(text.contains("Decided: Score is 60."), "\(text)")
        #expect(try record(shell)?.score == 60)
    }

    /// Each command is a process of its own there.
    @Test func aDecisionOfAnotherCommandIsAboutWhatWasShown() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        shell.session.use = .command
        let runner = CommandRunner(shell.session)
        _ = try await runner.run(.conflicts(.show(id)))
        shell.session.shown.conflicts = [:]
        let author = Author(name: "ines", moment: Timestamp(secondsSince1970: 1_772_619_407), device: "other")
        try shell.field.inspections.update(id, by: author) { $0.score = 33 }
        await #expect(throws: UsageError.self) {
            try await runner.run(.conflicts(.take(id, side: "current", values: [])))
        }
        #expect(try record(shell)?.envelope.rest["conflicts"] != nil)
        _ = try await runner.run(.conflicts(.show(id)))
        shell.session.shown.conflicts = [:]
        _ = try await runner.run(.conflicts(.take(id, side: "current", values: [])))
        #expect(try record(shell)?.score == 33 && record(shell)?.envelope.rest["conflicts"] == nil)
    }
}
