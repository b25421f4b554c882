import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// A change that arrives while a question is open is not overwritten by a user who has not seen it.
@Suite struct ChangedMeanwhileTests {
    /// A colleague's value, as a sync beside the shell brings it: no command of this laptop.
    private func change(_ shell: Shell, _ change: (inout Inspection) throws -> Void) throws {
        var inspection = try inspection(shell)
        try change(&inspection)
        inspection.envelope.changedBy = "tomas"
        inspection.envelope.changedAt = Timestamp(secondsSince1970: 1_772_619_300)
        try shell.field.collection(of: .inspection).save(bodies: [(inspection.id, inspection.object.bytes)])
    }

    private func inspection(_ shell: Shell) throws -> Inspection {
        try #require(try shell.field.inspections.all().records.first)
    }

    @Test func anAnswerToAnOpenQuestion() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form=kitchen --yes")
        let screen = Screen(["edit 1", "4", "", "."], at: "Fridge") {
            try change(shell) { $0.answers["fridge"] = 9 }
        }
        let transcript = try await screen.run(shell)
        #expect(transcript.contains("Fridge °C became 9 in the meantime (tomas). What you typed is not saved."))
        #expect(transcript.contains("Fridge °C, -5 to 12 [9]:"))
        #expect(try inspection(shell).answers["fridge"] == 9)
    }

    /// Another user has handed the inspection in; a text that took minutes to type is not lost with the question.
    @Test func aTextOfSeveralLinesIsShownAgain() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        let screen = Screen(["edit 1", "first\\", "second", ""], at: "Notes") {
            try handIn(shell)
        }
        let transcript = try await screen.run(shell)
        #expect(transcript.contains("What you wrote is not saved.\nWhat you wrote:\nfirst\nsecond\n"), "\(transcript)")
        #expect(transcript.contains("is submitted, so it can no longer be changed"), "\(transcript)")
    }

    /// The next sentence is no part of it.
    @Test func aTextOfSeveralLinesEndsWithItsOwnLine() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        let screen = Screen(["edit 1", "first\\", "second", ""], at: "Notes") {
            try change(shell) { $0.notes = "theirs" }
        }
        let transcript = try await screen.run(shell)
        #expect(
            transcript.contains("What you typed is not saved:\nfirst\nsecond\nAnswer again, or Enter to leave it so."),
            "\(transcript)")
    }

    /// A colleague hands it in, or a supervisor approves it.
    private func handIn(_ shell: Shell, as status: Inspection.Status = .submitted) throws {
        try change(shell) { $0.status = status }
        try shell.acknowledge(.inspection, try inspection(shell).id)
    }

    /// In the middle of answers the way out is the one that `edit` names.
    @Test func whatSomebodyElseHandsInMeanwhileIsTakenBack() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=1 --yes")
        let id = try inspection(shell).id
        let screen = Screen(["edit 1", "a text", ""], at: "Notes") {
            _ = try shell.field.lifeCycle.submit(
                id, by: Author(name: "eve", moment: Timestamp(secondsSince1970: 1_772_619_307)))
            try shell.acknowledge(.inspection, id)
        }
        let transcript = try await screen.run(shell)
        #expect(transcript.contains("What you typed is not saved: a text\n"), "\(transcript)")
        #expect(transcript.contains("Somebody else has submitted this inspection of yours"), "\(transcript)")
        let short = RecordReference.short(id, kind: .inspection)
        #expect(transcript.contains("Take that back: edit \(short) status=draft"), "\(transcript)")
        #expect(!transcript.contains("A reviewer can return"), "\(transcript)")
    }

    @Test func anAnswerToWhatIsDeletedIsShownAgain() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        let id = try inspection(shell).id
        try shell.acknowledge(.inspection, id)
        let short = RecordReference.short(id, kind: .inspection)
        let screen = Screen(["edit 1", "the important text", ""], at: "Notes") {
            try shell.deleteElsewhere(.inspection, id)
        }
        let transcript = try await screen.run(shell)
        #expect(transcript.contains("What you typed is not saved: the important text\n"), "\(transcript)")
        #expect(
            transcript.contains(
                "The inspection \(short) was deleted in the meantime. Bring it back, and answer again: undo \(short)"),
            "\(transcript)")
    }

    @Test func anAnswerToWhatWasTakenAwayIsShownAgain() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        let id = try inspection(shell).id
        try shell.acknowledge(.inspection, id)
        let screen = Screen(["edit 1", "the important text", ""], at: "Notes") {
            try shell.takeAway(.inspection, id)
        }
        let transcript = try await screen.run(shell)
        #expect(transcript.contains("What you typed is not saved: the important text\n"), "\(transcript)")
        #expect(transcript.contains("is not on this laptop any more"), "\(transcript)")
    }

    @Test(arguments: ["new finding 1", "new inspection mill"])
    func aFindingOfWhatIsDeletedIsShownAgain(command: String) async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        let isNew = command.hasPrefix("new inspection")
        let answers = isNew ? ["", "", "", "", "", "", ""] : []
        let screen = Screen([command] + answers + ["loose wire", ""], at: isNew ? "Finding" : "What is wrong") {
            for inspection in try shell.field.inspections.all().records {
                try shell.acknowledge(.inspection, inspection.id)
                try shell.deleteElsewhere(.inspection, inspection.id)
            }
        }
        let transcript = try await screen.run(shell)
        #expect(transcript.contains("What you typed is not saved: loose wire\n"), "\(transcript)")
        #expect(transcript.contains("was deleted in the meantime, so there is nothing to add it to."), "\(transcript)")
        #expect(transcript.contains("Bring it back, and answer again: undo "), "\(transcript)")
        #expect(!transcript.contains("The finding "), "\(transcript)")
        #expect(shell.field.findings.count == 0)
    }

    @Test(arguments: [Inspection.Status.submitted, .approved])
    func answersToWhatIsHandedInAreShownAgain(status: Inspection.Status) async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        let edit = Screen(["edit 1", "a text", ""], at: "Notes") { try handIn(shell, as: status) }
        let edited = try await edit.run(shell)
        #expect(edited.contains("What you typed is not saved: a text\n"), "\(edited)")
        #expect(edited.contains("is \(status), so it can no longer be changed"), "\(edited)")
        try change(shell) { $0.status = .draft }
        let finding = Screen(["list", "new finding 1", "loose wire", ""], at: "What is wrong") {
            try handIn(shell, as: status)
        }
        let refused = try await finding.run(shell)
        #expect(refused.contains("What you typed is not saved: loose wire\n"), "\(refused)")
        #expect(refused.contains("is \(status) by now, so nothing can be added to it"), "\(refused)")
        #expect(refused.contains("when a supervisor has returned"), "\(refused)")
        #expect(shell.field.findings.count == 0)
    }

    @Test func typedAgainItReplacesWhatWasShown() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form=kitchen --yes")
        let screen = Screen(["edit 1", "4", "4", "."], at: "Fridge") {
            try change(shell) { $0.answers["fridge"] = 9 }
        }
        _ = try await screen.run(shell)
        #expect(try inspection(shell).answers["fridge"] == 4)
    }

    /// If other fields have changed, or the value is the same, no text is lost.
    @Test func whatIsNotOverwrittenIsNotAskedAbout() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form=kitchen --yes")
        let screen = Screen(["edit 1", "4", "."], at: "Fridge") {
            try change(shell) {
                $0.notes = "two doors"
                $0.answers["fridge"] = 4
            }
        }
        let transcript = try await screen.run(shell)
        #expect(!transcript.contains("in the meantime"))
        #expect(try inspection(shell).answers["fridge"] == 4 && inspection(shell).notes == "two doors")
    }

    @Test func aChangeByItsNumber() async throws {
        let shell = try Shell()
        _ = try await shell.type("sites")
        let screen = Screen(["edit mill phone=1", "edit mill", "7", "123", "", ""], at: "Telephone") {
            _ = try shell.field.sites.update(
                "site-mill", by: Author(name: "tomas", moment: Timestamp(secondsSince1970: 1_772_619_300))
            ) { $0.phone = "456" }
        }
        let transcript = try await screen.run(shell)
        #expect(transcript.contains("Telephone became '456' in the meantime (tomas). What you typed is not saved."))
        #expect(try shell.field.sites.find("site-mill")?.phone == "456")
    }

    @Test func whatIsDeletedIsWhatWasAskedAbout() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form=kitchen --yes")
        let screen = Screen(["delete 1", "y"], at: "Delete the inspection") {
            try change(shell) { $0.notes = "do not delete" }
        }
        let transcript = try await screen.run(shell)
        #expect(transcript.contains("It was changed while you were asked; nothing was deleted."))
        #expect(try inspection(shell).notes == "do not delete")
    }

    @Test func thePhotoThatIsRemovedIsTheOneThatWasAskedAbout() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        let file = try photograph(shell, "front.png", 1)
        _ = try await shell.type("attach 1 \(file)")
        let screen = Screen(["photo remove 1 front.png", "y"], at: "Remove front.png") {
            try change(shell) { $0.photos[0].caption = "evidence" }
        }
        let transcript = try await screen.run(shell)
        #expect(
            transcript.contains("front.png was changed since you looked. Look again: photo list"), "\(transcript)")
        #expect(try inspection(shell).photos.map(\.caption) == ["evidence"])
    }

    /// A reviewer looks at an inspection with the photos of its findings.
    @Test func photosOfAFindingStayAsTheyWereHandedIn() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --finding Dust --yes")
        let file = try photograph(shell, "front.png", 1)
        let id = try #require(try shell.field.findings.all().records.first?.id)
        _ = try await shell.type("attach \(id) \(file)", "submit 1")
        try shell.acknowledge(.inspection, try inspection(shell).id)
        let refused = try await shell.type(
            "photo remove \(id) front.png", "y", "photo caption \(id) front.png x", "attach \(id) \(file)")
        #expect(
            refused.components(separatedBy: "which is submitted, so it can no longer be changed").count == 4,
            "\(refused)")
        #expect(try shell.field.findings.find(id)?.photos.map(\.name) == ["front.png"])
    }

    @Test func aValueTypedAfterALookReplacesOnlyWhatWasSeen() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form=kitchen score=1 --yes")
        let typed = ["show 1", "edit 1 score=95 notes=clean", "edit 1 score=95 notes=clean", "edit 1 score=96", "undo"]
        let screen = Screen(typed, at: "fieldbook", skipping: 1) { try change(shell) { $0.score = 15 } }
        let transcript = try await screen.run(shell)
        #expect(
            transcript.contains("Score became 15 in the meantime (tomas). What you typed is not saved."),
            "\(transcript)")
        #expect(transcript.contains("Give the command again to replace that."))
        #expect(transcript.components(separatedBy: "in the meantime").count == 2, "\(transcript)")
        #expect(try inspection(shell).score == 95 && inspection(shell).notes == "clean")
    }

    @Test func whatIsHandedInIsWhatWasSeen() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=4 --finding Dust --yes", "show 1")
        try change(shell) { $0.score = 9 }
        let asked = try await shell.type("submit 1", "n")
        #expect(
            asked.contains("The inspection has changed since you looked at it. Submit it all the same?"), "\(asked)")
        #expect(try inspection(shell).status == .draft)
        let finding = try #require(try shell.field.findings.all().records.first?.id)
        let own = try await shell.type(
            "show 1", "edit 1 score=5", "edit \(finding) text=\"Old dust\"", "new finding 1 text=Mice --yes",
            "delete \(finding)", "y", "undo", "submit \(try inspection(shell).id)")
        #expect(!own.contains("since you looked at it"), "\(own)")
        #expect(try inspection(shell).status == .submitted, "\(own)")
    }

    /// The reason of a return is in the list of the day's work.
    @Test(arguments: [true, false]) func aReturnThatWasListedIsKnown(isListed: Bool) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=4 --yes", "submit 1")
        let id = try inspection(shell).id
        try change(shell) { ($0.status, $0.review) = (.returned, "which door?") }
        let asked = try await shell.type(
            isListed ? "today" : "sites", "edit \(id) notes=front", "submit \(id)", "y", width: 200)
        for change in ["Changed since: ", "status submitted → returned", "review nothing → which door?"] {
            #expect(asked.contains(change) != isListed, "\(asked)")
        }
        #expect(asked.contains("has changed since you looked at it") != isListed, "\(asked)")
        #expect(try inspection(shell).status == .submitted)
    }

    @Test func whatIsReturnedIsWhatWasSeen() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=4 --yes", "submit 1")
        try shell.signIn("olga")
        _ = try await shell.type("list inspections", "show 1")
        try change(shell) { $0.notes = "clean now" }
        let asked = try await shell.type("return 1 dirty", "n")
        #expect(
            asked.contains("The inspection has changed since you looked at it. Return it all the same?"), "\(asked)")
        #expect(try inspection(shell).status == .submitted)
        let seen = try await shell.type("show 1", "return 1 dirty")
        #expect(try inspection(shell).status == .returned, "\(seen)")
    }

    /// A line is done as a whole, or not at all.
    @Test(arguments: ["score=120", "nothing=1", "score=5"]) func aMoveWaitsForTheOtherValues(other: String) async throws
    {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=4 --finding Dust --yes", "show 1")
        if other == "score=5" { try change(shell) { $0.score = 9 } }
        let refused = try await shell.type("edit 1 site=quay \(other)")
        #expect(try inspection(shell).site == "site-mill", "\(refused)")
        #expect(try shell.field.findings.all().records.map(\.site) == ["site-mill"])
        let again = try await shell.type("edit 1 site=quay score=7")
        #expect(try inspection(shell).site == "site-quay" && inspection(shell).score == 7, "\(again)")
    }

    private func photograph(_ shell: Shell, _ name: String, _ byte: UInt8) throws -> String {
        let file = shell.root.appendingPathComponent(name)
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, byte]).write(to: file)
        return file.path
    }

    @Test func aNumberIsThatOfThePictureThatWasListed() async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill score=1 --yes", "attach 1 \(try photograph(shell, "front.png", 1))",
            "attach 1 \(try photograph(shell, "swing.png", 2))", "photo list 1")
        try change(shell) {
            $0.photos[0].name = "street.png"
            $0.photos[1].name = "front.png"
        }
        let refused = try await shell.type(
            "photo caption 1 1 Kitchen", "photo rename 1 front.png kitchen.png", "photo remove 1 1", "y")
        #expect(
            refused.components(separatedBy: "has changed since you looked at it. Nothing was done.").count == 4,
            "\(refused)")
        let saved = shell.root.appendingPathComponent("saved.png")
        let done = try await shell.type(
            "photo save 1 1 \(saved.path)", "photo list 1", "photo caption 1 1 Kitchen", "photo rename 1 1 kitchen.png",
            "photo caption 1 1 \"The kitchen\"")
        #expect(try Data(contentsOf: saved).last == 1, "\(done)")
        #expect(try inspection(shell).photos.map(\.name) == ["kitchen.png", "front.png"], "\(done)")
        #expect(try inspection(shell).photos.map(\.caption) == ["The kitchen", nil])
    }

    @Test func aCaptionReplacesOnlyWhatWasSeen() async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill score=1 --yes", "attach 1 \(try photograph(shell, "front.png", 1))", "photo list 1")
        try change(shell) { $0.photos[0].caption = "legal evidence" }
        let refused = try await shell.type("photo caption 1 1 Kitchen")
        #expect(refused.contains("front.png has changed since you looked at it. Nothing was done."), "\(refused)")
        #expect(try inspection(shell).photos.map(\.caption) == ["legal evidence"])
    }

    @Test func whatComesWhileAnApprovalIsAskedAboutIsNotApproved() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --yes", "submit 1")
        try shell.signIn("olga")
        _ = try await shell.type("list inspections", "show 1")
        try change(shell) { $0.notes = "fire exit blocked" }
        let screen = Screen(["approve 1", "y", "n"], at: "The inspection has changed since you looked at it") {
            try change(shell) { $0.score = 3 }
        }
        let transcript = try await screen.run(shell)
        #expect(transcript.contains("The inspection was changed while you were asked."), "\(transcript)")
        #expect(transcript.contains("Nothing was changed. Look at it again: show"), "\(transcript)")
        #expect(try inspection(shell).status == .submitted)
        let again = try await shell.type("approve 1", "y")
        #expect(try inspection(shell).status == .approved, "\(again)")
    }

    /// Also if the user had not looked at it before, and another question was asked.
    @Test(arguments: ["submit", "approve", "return"])
    func whatComesDuringAnyQuestionIsAskedAbout(step: String) async throws {
        let shell = try Shell()
        try shell.signIn("tomas")
        _ = try await shell.type("new inspection mill score=90 --yes")
        let id = try inspection(shell).id
        try change(shell) { inspection in
            inspection.date = inspection.date.adding(days: 400)
            if step != "submit" { inspection.status = .submitted }
        }
        if step != "submit" {
            // Who has work of their own, and never supervised, is asked.
            try shell.signIn("mara")
            _ = try await shell.type("new inspection quay --yes")
        }
        shell.session.shown.records[RecordReference(.inspection, id: id)] = nil
        let status = try #require(try shell.field.inspections.find(id)?.status)
        let reason = step == "return" ? " dirty" : ""
        // The first question is the shell's own.
        let screen = Screen(["\(step) \(id)\(reason)", "y", "y", "n"], at: "", skipping: 1) {
            var body = try #require(try shell.field.collection(of: .inspection).document(id: id)).body
            body["score"] = 3
            try shell.field.collection(of: .inspection).save(bodies: [(id, body.bytes)])
        }
        let transcript = try await screen.run(shell)
        #expect(transcript.contains("The inspection was changed while you were asked."), "\(transcript)")
        #expect(transcript.contains("Nothing was changed. Look at it again: show"), "\(transcript)")
        #expect(try shell.field.inspections.find(id)?.status == status)
    }

    @Test func whatIsApprovedIsWhatWasLookedAt() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --yes", "submit 1")
        try shell.signIn("olga")
        // The second command's prompt comes after the output.
        let lines = ["show mill", "list inspections", "show 1", "approve 1", "n", "show 1", "approve 1"]
        var prompts = 0
        let screen = Screen(lines, at: "fieldbook", skipping: 3) {
            prompts += 1
            try change(shell) { $0.notes = "fire exit blocked" }
        }
        let transcript = try await screen.run(shell)
        #expect(prompts == 1 && transcript.contains("The inspection has changed since you looked at it. Approve it"))
        #expect(transcript.contains("Nothing was changed. Look at it again: show"))
        #expect(transcript.contains("Approved"))
        #expect(try inspection(shell).status == .approved)
    }

    /// A number is the photo's that was shown under it, also when a sync has taken another one away.
    @Test func aPhotoKeepsItsNumber() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=1 --yes")
        for number in 1...3 {
            _ = try await shell.type("attach 1 \(try photograph(shell, "p\(number).png", UInt8(number)))")
        }
        _ = try await shell.type("photo list 1")
        try change(shell) { $0.photos.removeAll { $0.name == "p1.png" } }
        let transcript = try await shell.type(
            "photo caption 1 2 fence", "photo rename 1 2 gate.png", "photo remove 1 1")
        #expect(transcript.contains("p2.png has the caption: fence"))
        #expect(transcript.contains("Renamed p2.png to gate.png."))
        #expect(transcript.contains("Photo 1 was p1.png, which is not there any more."))
        #expect(try inspection(shell).photos.map(\.name) == ["gate.png", "p3.png"])
    }
}

/// Lines that are typed, and something that happens once while a question is open.
private final class Screen: Dialogue {
    private let script: ScriptedDialogue
    private let question: String
    /// How often the question comes before that.
    private var skipping: Int
    private var event: (() throws -> Void)?

    init(_ lines: [String], at question: String, skipping: Int = 0, event: @escaping () throws -> Void) {
        self.skipping = skipping
        script = ScriptedDialogue(lines: lines)
        self.question = question
        self.event = event
    }

    func run(_ shell: Shell) async throws -> String {
        shell.use(self)
        _ = await shell.loop().run()
        #expect(event == nil, "the question was never asked")
        return script.transcript
    }

    func ask(_ prompt: String) -> Reply {
        if prompt.hasPrefix(question), skipping > 0 {
            skipping -= 1
        } else if prompt.hasPrefix(question), let event {
            self.event = nil
            do { try event() } catch { Issue.record(error) }
        }
        return script.ask(prompt)
    }

    var isInteractive: Bool { true }
    var mayConsent: Bool { true }
    func askSecret(_ prompt: String) -> Reply { script.askSecret(prompt) }
    func show(_ text: String) { script.show(text) }
    func showWhole(_ lines: [String]) { script.showWhole(lines) }
    var screenHeight: Int? { nil }
    var completer: Completer {
        get { script.completer }
        set { script.completer = newValue }
    }
}
