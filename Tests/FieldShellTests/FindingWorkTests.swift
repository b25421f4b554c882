import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell
@testable import FieldSync

/// The day's work, looking things up, and taking things back, as they are typed.
@Suite struct FindingWorkTests {
    private func shell() throws -> Shell {
        let shell = try Shell()
        let today = shell.session.environment.today()
        let hill = District("hill") ?? .unknown
        for (id, due) in [("late", -3), ("now", 0), ("soon", 9)] {
            var assignment = Assignment(
                id: "assignment-\(id)", inspector: "mara", site: "site-mill", due: today.adding(days: due),
                district: hill)
            assignment.form = "form-kitchen"
            // As a sync brings it: no change of this laptop.
            let document = MutableDocument(id: assignment.id, body: assignment.object)
            try shell.field.collection(of: .assignment).save(document: document)
        }
        try shell.signIn("mara")
        return shell
    }

    @Test func anAssignmentIsStartedAndClosed() async throws {
        let shell = try shell()
        let transcript = try await shell.type("today", "start 1", "", "", "4", "y", "n", "", "", "")
        #expect(transcript.contains("Overdue\n#  ID    DUE         SITE      WHAT\n1  late  2026-03-01  Old mill"))
        #expect(
            transcript.contains("Due today\n#  ID   DUE         SITE      WHAT\n2  now   2026-03-04  Old mill")
                || transcript.contains("2  now  2026-03-04  Old mill"))
        #expect(transcript.contains("Coming\n#  ID    DUE         SITE      WHAT\n3  soon"), "\(transcript)")
        let draft = try #require(try shell.field.inspections.all().records.first)
        #expect(draft.assignment == "assignment-late" && draft.form == "form-kitchen" && draft.site == "site-mill")
        let id = RecordReference.short(draft.id, kind: .inspection)
        let second = try await shell.type("edit \(id) fridge=4", "submit \(id)", "show late", "today")
        #expect(second.contains("Inspection   \(id)"))
        let assignment = try #require(try shell.field.assignments.find("assignment-late"))
        #expect(assignment.status == .done && assignment.inspection == draft.id)
        #expect(!second.contains("Overdue"))
        let again = try await shell.type("start late")
        #expect(again.contains("This assignment is done. See it with: show late"))
    }

    @Test func anAssignmentForASiteIsToBeStarted() async throws {
        let shell = try shell()
        let transcript = try await shell.type("today", "new inspection 1")
        let way = "1 is an assignment; a site is needed here. Begin its inspection: start 1"
        #expect(transcript.contains(way), "\(transcript)")
    }

    @Test func whatWasBegunIsGoneOnWith() async throws {
        let shell = try shell()
        _ = try await shell.type("start now", "", "2", "\u{3}")
        #expect(shell.field.inspections.count == 1)
        let transcript = try await shell.type("start now", "\u{3}")
        #expect(transcript.contains("This assignment was begun before: draft"))
        #expect(shell.field.inspections.count == 1)
    }

    /// A list has no room for them.
    @Test func theInstructionsAreShownWhole() async throws {
        let shell = try shell()
        let instructions = "Look at the cold store again,\nand ask for the cleaning plan"
        try shell.field.assignments.update("assignment-now", by: shell.session.author()) {
            $0.instructions = instructions
        }
        for _ in 1...2 {
            let transcript = try await shell.type("start now", "", "2", "\u{3}", width: 40)
            #expect(transcript.contains("Instructions: \(instructions)\n"), "\(transcript)")
        }
    }

    @Test func theGreetingIsOneLine() throws {
        let shell = try shell()
        #expect(
            try TodaysLine(session: shell.session).text()
                == "Today: 1 due today, 1 overdue, 1 coming. See it with: today")
        let idle = try Shell()
        #expect(try TodaysLine(session: idle.session).text() == nil)
    }

    @Test func assignmentsAreMarked() async throws {
        let shell = try shell()
        let transcript = try await shell.type("list assignments", "list assignments --until today --json")
        #expect(transcript.contains("2026-03-01, overdue"))
        #expect(transcript.contains("2026-03-04, today"))
        #expect(transcript.contains("2026-03-13  "))
        #expect(transcript.components(separatedBy: #""type":"assignment""#).count == 3)
        let wrong = try await shell.type("list --since soon", "list sites --since today", "find mill --since -1")
        #expect(wrong.contains("'soon' is no day."))
        #expect(wrong.contains("A site has no day."))
    }

    @Test func aDeletionIsUndone() async throws {
        let shell = try shell()
        let transcript = try await shell.type(
            "new inspection mill score=80 --finding Dust --yes", "delete 1 --yes", "undo")
        #expect(try shell.withoutIDs(transcript).contains("Undone: delete, 11:15 today."))
        #expect(transcript.contains("is back."))
        #expect(shell.field.findings.count == 1)
        // The third takes back what the test itself has put there.
        let more = try await shell.type("undo --yes", "undo --yes", "undo --yes")
        #expect(more.contains("Undone: new inspection, 11:15 today."))
        #expect(more.contains("There is nothing to be undone"))
        #expect(shell.field.findings.count == 0 && shell.field.inspections.count == 0)
    }

    /// The last typed text is stored nowhere else: it is not removed without a question.
    @Test func aNewRecordIsNotTakenAwayWithoutAsking() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=80 --finding Dust --yes")
        let transcript = try await shell.type("undo", "n")
        #expect(
            transcript.contains(
                "Undo new inspection, 11:15 today? It takes away for good the inspection of Old mill, 2026-03-04 routine, "
                    + "draft, score 80, with 1 finding. y or n [n] n"), "\(transcript)")
        #expect(transcript.contains("Nothing was undone."))
        #expect(shell.field.inspections.count == 1 && shell.field.findings.count == 1)
        // From a pipe nobody answers.
        shell.use(ScriptedDialogue(lines: ["undo", "y"], mayConsent: false))
        #expect(await shell.loop().run() == 2)
        #expect(shell.field.inspections.count == 1)
        #expect(try await shell.type("edit 1 score=85", "undo").contains("is as it was before: score 85 → 80.\n"))
        _ = try await shell.type("undo", "y")
        #expect(shell.field.inspections.count == 0 && shell.field.findings.count == 0)
    }

    @Test func longTextsAndPhotosAreNotTakenAwayWithoutAsking() async throws {
        let shell = try Shell()
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: photo)
        let notes = String(repeating: "The door is open. ", count: 4) + "End"
        _ = try await shell.type("new inspection mill --yes", "edit 1 notes='\(notes)'")
        let text = try await shell.type("undo", "n", width: 300)
        let question = "It takes away for good the notes of the inspection ID: '\(notes)'. y or n [n] n"
        #expect(try shell.withoutIDs(text).contains(question), "\(text)")
        #expect(try shell.field.inspections.all().records.map(\.notes) == [notes])
        let pictures = try await shell.type("attach 1 \(photo.path)", "undo", "n", width: 300)
        #expect(
            try shell.withoutIDs(pictures).contains("It takes away for good 1 photo of the inspection ID (door.png)."),
            "\(pictures)")
        #expect(try shell.field.inspections.all().records.map(\.photos.count) == [1])
        let gone = try await shell.type("undo", "y", "undo", "y", width: 300)
        #expect(gone.contains("notes \(notes) → nothing."), "\(gone)")
        #expect(try shell.field.inspections.all().records.map(\.notes) == [nil])
    }

    /// A started assignment is not started twice, and inspections that wait for a supervisor are listed for one.
    @Test func whatWasBegunOrWaitsIsListed() async throws {
        let shell = try Shell()
        try shell.signIn("ines")
        _ = try await shell.type("new assignment mill inspector=mara due=today instructions=hood --yes")
        try shell.signIn("mara")
        let begun = try await shell.type("today", "start 1 --yes", "today", width: 120)
        #expect(begun.components(separatedBy: "Begin with one: start NUMBER").count == 2, "\(begun)")
        let id = try #require(try shell.field.inspections.all().records.first?.id)
        let short = RecordReference.short(id, kind: .inspection)
        #expect(begun.contains("begun: \(short); hood"), "\(begun)")
        let own = try await shell.type("submit \(short)", "today")
        #expect(!own.contains("not approved yet"))
        try shell.signIn("ines")
        #expect(try TodaysLine(session: shell.session).text() == "Today: 1 not approved yet. See it with: today")
        let waiting = try await shell.type("today", "approve 1", "today")
        #expect(waiting.contains("Submitted, not approved yet\n#  ID"), "\(waiting)")
        #expect(waiting.contains("approve NUMBER, or return NUMBER REASON"))
        #expect(waiting.contains("Approved \(short).") && waiting.contains("nothing waits for you"), "\(waiting)")
        shell.session.use = .command
        guard case .groups(let groups) = try await CommandRunner(shell.session).run(.today) else {
            Issue.record("nothing is listed")
            return
        }
        #expect(!groups.notes.contains { $0.contains("NUMBER") })
    }

    /// Any user may be named as the inspector; the gateway only vouches for the creator.
    @Test func whoMadeAnInspectionInAnothersNameIsListed() async throws {
        let shell = try Shell()
        try shell.signIn("eve")
        _ = try await shell.type("new inspection mill score=80 inspector=tomas --yes", "submit 1")
        try shell.signIn("ines")
        _ = try await shell.type("new assignment mill inspector=mara due=today --yes")
        let waiting = try await shell.type("today", width: 100)
        #expect(waiting.contains("tomas, made by eve"), "\(waiting)")
    }

    @Test func anAssignmentNamesItsForm() async throws {
        let shell = try Shell()
        try shell.signIn("ines")
        let made = try await shell.type("new assignment mill form=kitchen inspector=mara due=today --yes", "today")
        #expect(made.contains("Assigned Old mill to mara"), "\(made)")
        let assignment = try #require(try shell.field.assignments.all().records.first)
        #expect(assignment.form == "form-kitchen")
        let id = RecordReference.short(assignment.id, kind: .assignment)
        let edited = try await shell.type(
            "edit \(id) form= instructions=hood", "show \(id)", "edit \(id) form=Kitchen", "edit \(id) colour=red",
            "edit \(id) form=nowhere")
        #expect(edited.contains("The assignment \(id) asks for no form now."), "\(edited)")
        #expect(edited.contains("The assignment \(id) asks for the form Kitchen now."))
        #expect(edited.contains("it has inspector, due, status, instructions, district, form"), "\(edited)")
        let changed = try #require(try shell.field.assignments.find(assignment.id))
        #expect(changed.form == "form-kitchen" && changed.instructions == "hood")
        let revision = try shell.field.collection(of: .assignment).document(id: assignment.id)?.revisionID
        let both = try await shell.type("edit \(id) instructions=door form=")
        #expect(both.contains("Saved the assignment"), "\(both)")
        let document = try #require(try shell.field.collection(of: .assignment).document(id: assignment.id))
        #expect(document.body["instructions"] == "door" && document.body["form"] == nil)
        #expect(Self.generation(document.revisionID) == Self.generation(revision) + 1, "it is one change")
        let asked = try await shell.type("new assignment mill", "1", "mara", "", "", "")
        #expect(asked.contains("  1 Kitchen\nForm (Enter: none): 1"), "\(asked)")
        let others = try shell.field.assignments.all().records.filter { $0.id != assignment.id }
        #expect(others.map(\.form) == ["form-kitchen"])
    }

    /// A user whose assignment was accepted before gets no note; the content of an assignment may be only a form.
    @Test func aSupervisorIsNotNotifiedTwice() async throws {
        let shell = try Shell()
        try shell.signIn("ines")
        let line = "new assignment mill inspector=mara due=today form=Kitchen --yes"
        let first = try await shell.type(line, "list assignments", "today", width: 120)
        #expect(first.contains("lets only supervisors assign work.") && first.contains("form Kitchen"), "\(first)")
        let id = try #require(try shell.field.assignments.all().records.first?.id)
        try shell.acknowledge(.assignment, id)
        let second = try await shell.type(line)
        #expect(second.contains("Assigned Old mill to mara") && !second.contains("only supervisors"), "\(second)")
        try shell.signIn("mara")
        #expect(try await shell.type("today", width: 120).contains("form Kitchen"))
    }

    @Test func whoChangesWhatOthersAssignedIsNotified() async throws {
        let shell = try Shell()
        try shell.signIn("ines")
        let made = try await shell.type("new assignment mill inspector=mara due=today --yes")
        #expect(!made.contains("inspection."), "\(made)")
        let id = RecordReference.short(
            try #require(try shell.field.assignments.all().records.first?.id), kind: .assignment)
        let own = try await shell.type("edit \(id) instructions=hood")
        try shell.signIn("mara")
        let status = try await shell.type("edit \(id) status=done")
        #expect(!own.contains("only supervisors") && !status.contains("only supervisors"), "\(own) \(status)")
        for change in ["instructions=sink", "form=Kitchen", "due=tomorrow"] {
            let edited = try await shell.type("edit \(id) \(change)", width: 200)
            #expect(edited.contains("lets only supervisors change what was assigned"), "\(edited)")
        }
    }

    private static func generation(_ revision: String?) -> Int {
        revision?.split(separator: "-").first.flatMap { Int($0) } ?? 0
    }

    /// What must be answered is not skipped by Enter, and is named as it is on the screen.
    @Test func aCompulsoryQuestionSaysSo() async throws {
        let shell = try Shell()
        let asked = try await shell.type("new assignment mill form=kitchen", "?", "mara", "", "", "")
        let help = try #require(asked.components(separatedBy: "It must be answered: ").dropFirst().first)
        #expect(!asked.components(separatedBy: "It must be answered")[0].contains("Enter skips, -"), "\(asked)")
        #expect(help.hasPrefix("Enter keeps the answer that it has"))
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let finding = try #require(try shell.field.findings.all().records.first)
        let id = RecordReference.short(finding.id, kind: .finding)
        let cleared = try await shell.type("edit \(id) risk=low", "edit \(id)", "1", "-", "", "")
        #expect(cleared.contains("What is wrong must not be empty."), "\(cleared)")
    }

    /// `fieldbook --yes` with lines from a pipe.
    @Test func linesFromAPipeAreAgreedToBeforehand() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        let id = RecordReference.short(
            try #require(try shell.field.inspections.all().records.first).id, kind: .inspection)
        shell.use(ScriptedDialogue(lines: ["delete \(id)"], mayConsent: false))
        let loop = ShellLoop(shell.session, asksNothing: true) { [session = shell.session] in
            TextRenderer(width: 100, numbersRows: true, clock: session.environment.clock)
        }
        #expect(await loop.run() == 0)
        #expect(shell.field.inspections.count == 0)
    }

    /// A reason is needed, and an invisible one is none.
    @Test(arguments: ["\"\"", "\"  \"", "\u{200B}"]) func aReturnNeedsAReason(reason: String) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill --yes", "submit 1", "today")
        try shell.signIn("ines")
        let transcript = try await shell.type("list", "return 1 \(reason)", "return 1 too short")
        #expect(transcript.contains("'return' needs more arguments"), "\(transcript)")
        #expect(transcript.contains("to mara."))
        #expect(try shell.field.inspections.all().records.first?.review == "too short")
    }

    /// The second line of a reason would be run as a command, and a sign would be what the inspector reads.
    @Test func aReasonThatIsAskedForIsAnsweredLikeOtherTexts() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=80 --yes", "list", "submit 1")
        try shell.signIn("ines")
        let transcript = try await shell.type("list", "return 1", "?", "part one\\", "delete 1", width: 300)
        #expect(transcript.contains("Reason: a text") && transcript.contains("Returned"), "\(transcript)")
        #expect(try shell.field.inspections.all().records.map(\.review) == ["part one\ndelete 1"])
    }

    @Test func aReasonThatIsMissingIsAskedFor() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill --yes", "submit 1", "today")
        try shell.signIn("ines")
        let transcript = try await shell.type("list", "return 1", "  ")
        #expect(transcript.contains("its inspector needs a reason"), "\(transcript)")
        #expect(try shell.field.inspections.all().records.first?.status == .submitted)
        _ = try await shell.type("return 1", "it's \"3\" or 7?")
        #expect(try shell.field.inspections.all().records.first?.review == "it's \"3\" or 7?")
    }

    @Test func aLongReasonIsCutWhereASyncNamesIt() {
        let returned = ReturnedInspection(
            reference: RecordReference(.inspection, id: "inspection-aa"), title: "Old mill",
            review: String(repeating: "again and ", count: 200))
        let lines = SyncText.returned([returned])
        #expect(lines.count == 2 && lines[1].hasSuffix("…") && lines[1].displayWidth < 230, "\(lines)")
    }

    /// A submitted inspection closes the assignment of its inspector.
    @Test func somebodyElsesAssignmentSaysSo() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new assignment mill inspector=tomas due=today --yes")
        let id = try #require(try shell.field.assignments.all().records.first?.id)
        let started = try await shell.type("start \(RecordReference.short(id, kind: .assignment)) --yes")
        #expect(started.contains("It is assigned to tomas: what you hand in does not close it."))
    }

    /// A user who answers yes or no there has found nothing yet.
    @Test(arguments: ["y", "N"]) func aSingleLetterIsNoFinding(letter: String) async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let dialogue = ScriptedDialogue(lines: [letter, "Dust", ".", ""])
        shell.use(dialogue)
        #expect(try FindingQuestions(session: shell.session).ask(about: inspection) == 1)
        #expect(dialogue.transcript.contains("What is wrong, in a few words. Enter: no more findings."))
        #expect(try shell.field.findings.all().records.map(\.text) == ["Dust"])
    }

    /// A user who stops there types a command next, which is no finding.
    @Test func aFullStopEndsTheFindings() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        shell.use(ScriptedDialogue(lines: ["Dust", ".", "list"]))
        #expect(try FindingQuestions(session: shell.session).ask(about: inspection) == 1)
        #expect(try shell.field.findings.all().records.map(\.text) == ["Dust"])
    }

    /// The advice names a record that can be edited: an approved one is listed beside it, and cannot.
    @Test func whatIsGoneOnWithIsNamed() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let drafts = try await shell.type("new inspection mill --yes", "today")
        #expect(drafts.contains("Go on with a draft: edit NUMBER"), "\(drafts)")
    }

    /// Both of a person's laptops have begun it, neither with a network.
    @Test func whatTwoLaptopsHaveBegunIsHandedInOnce() async throws {
        let shell = try shell()
        _ = try await shell.type("start now --yes")
        let own = try #require(try shell.field.inspections.all().records.first)
        let id = RecordReference.short(own.id, kind: .inspection)
        var other = own
        (other.id, other.status) = ("inspection-elsewhere", .submitted)
        try shell.field.inspections.add(other, by: shell.session.author())
        try shell.field.assignments.update("assignment-now", by: shell.session.author()) {
            ($0.status, $0.inspection) = (.done, other.id)
        }
        let started = try await shell.type("start now", width: 200)
        let done = "This assignment is done, by the inspection elsewhere. The draft \(id) was begun for it, too."
        #expect(started.contains(done), "\(started)")
        let left = try await shell.type("edit \(id) fridge=4", "submit \(id)", "n", width: 200)
        let question = "Its assignment now is done already, by the inspection elsewhere. Submit this one, too? y or n"
        #expect(left.contains(question), "\(left)")
        #expect(left.contains("Nothing was changed. See the other one: show elsewhere"), "\(left)")
        #expect(try shell.field.inspections.find(own.id)?.status == .draft)
        #expect(try await shell.type("submit \(id)", "y").contains("Submitted \(id), "))
        #expect(try shell.field.assignments.find("assignment-now")?.inspection == other.id)
    }

    /// A supervisor has given the work to another user since: it is not done twice without a question.
    @Test func workThatWasHandedOverIsNotDoneTwice() async throws {
        let shell = try shell()
        _ = try await shell.type("start now --yes")
        let draft = try #require(try shell.field.inspections.all().records.first)
        let id = RecordReference.short(draft.id, kind: .inspection)
        _ = try await shell.type("edit \(id) fridge=4")
        try shell.field.assignments.update("assignment-now", by: shell.session.author()) { $0.inspector = "ines" }
        let submitted = try await shell.type("submit \(id)", width: 120)
        #expect(submitted.contains("Its assignment now is ines's, and stays open."), "\(submitted)")
        try shell.signIn("ines")
        let started = try await shell.type("start now", "n", width: 200)
        #expect(started.contains("mara has made the inspection \(id) of it already (submitted)."), "\(started)")
        #expect(started.contains("Nothing was started.") && shell.field.inspections.count == 1, "\(started)")
    }
}
