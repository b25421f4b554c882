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
        #expect(!transcript.contains("soon"))
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

    @Test func whatWasBegunIsGoneOnWith() async throws {
        let shell = try shell()
        _ = try await shell.type("start now", "", "2", "\u{3}")
        #expect(shell.field.inspections.count == 1)
        let transcript = try await shell.type("start now", "\u{3}")
        #expect(transcript.contains("This assignment was begun before: draft"))
        #expect(shell.field.inspections.count == 1)
    }

    @Test func theGreetingIsOneLine() throws {
        let shell = try shell()
        #expect(try shell.session.todaysLine() == "Today: 1 due today, 1 overdue. See it with: today")
        let idle = try Shell()
        #expect(try idle.session.todaysLine() == nil)
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
        #expect(transcript.contains("is there again."))
        #expect(shell.field.findings.count == 1)
        // The third takes back what the test itself has put there.
        let more = try await shell.type("undo --yes", "undo --yes", "undo --yes")
        #expect(more.contains("Undone: new inspection, 11:15 today."))
        #expect(more.contains("There is nothing to be undone"))
        #expect(shell.field.findings.count == 0 && shell.field.inspections.count == 0)
    }

    /// What was typed last is nowhere else: it does not go without a question.
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
        #expect(try await shell.type("edit 1 score=85", "undo").contains("is as it was before."))
        _ = try await shell.type("undo", "y")
        #expect(shell.field.inspections.count == 0 && shell.field.findings.count == 0)
    }

    /// What was begun is not begun a second time, and what waits for a supervisor is listed for one.
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
        #expect(try shell.session.todaysLine() == "Today: 1 not approved yet. See it with: today")
        let waiting = try await shell.type("today", "approve 1", "today")
        #expect(waiting.contains("Submitted, not approved yet\n#  ID"), "\(waiting)")
        #expect(waiting.contains("approve NUMBER, or return NUMBER REASON"))
        #expect(waiting.contains("Approved \(short).") && waiting.contains("nothing waits for you"), "\(waiting)")
        shell.session.isShell = false
        guard case .groups(let groups) = try await CommandRunner(shell.session).run(.today) else {
            Issue.record("nothing is listed")
            return
        }
        #expect(!groups.notes.contains { $0.contains("NUMBER") })
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
        let asked = try await shell.type("new assignment mill", "1", "mara", "", "", "")
        #expect(asked.contains("  1 Kitchen\nForm (Enter: none): 1"), "\(asked)")
        #expect(try shell.field.assignments.all().records.allSatisfy { $0.form == "form-kitchen" })
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

    @Test func theLogNamesTheFindingThatWasChanged() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let finding = try #require(try shell.field.findings.all().records.first)
        try shell.acknowledge(.inspection, inspection.id)
        let id = RecordReference.short(finding.id, kind: .finding)
        let log = try await shell.type(
            "edit \(id) risk=low", "log \(RecordReference.short(inspection.id, kind: .inspection))")
        #expect(log.contains("edit: its finding \(id)"), "\(log)")
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

    @Test func aCaptionIsWrittenLater() async throws {
        let shell = try Shell()
        let photo = shell.root.appendingPathComponent("door.jpg")
        try Data([0xFF, 0xD8, 0xFF, 1]).write(to: photo)
        func caption() throws -> String? { try shell.field.inspections.all().records.first?.photos.first?.caption }
        let written = try await shell.type(
            "new inspection mill --yes", "attach 1 \(photo.path)", "photo caption 1 \"Back door\"")
        #expect(try written.contains("door.jpg has the caption: Back door") && caption() == "Back door", "\(written)")
        _ = try await shell.type("photo caption 1 1 front door")
        #expect(try caption() == "front door")
        let forgotten = try await shell.type("photo caption 1 1", "photo caption 1 door.jpg")
        #expect(forgotten.components(separatedBy: "Say what photo ").count == 3, "\(forgotten)")
        #expect(try caption() == "front door")
        let cleared = try await shell.type("photo caption 1 door.jpg \"\"", "photo caption 1", "edit 1 colour=red")
        #expect(try cleared.contains("door.jpg has no caption now.") && caption() == nil)
        #expect(cleared.contains("Say the caption: photo caption RECORD [PHOTO] TEXT."))
        #expect(cleared.contains("district, site"), "\(cleared)")
    }

    /// Who approved an inspection stays on every laptop's screen, whatever others add to it later.
    @Test func anApprovalSaysWhoGaveIt() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill --yes", "submit 1")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let id = RecordReference.short(inspection.id, kind: .inspection)
        try shell.signIn("ines")
        let own = try await shell.type("approve \(id)", "show \(id)", "log \(id)")
        #expect(own.contains(/Approved +ines, 11:15 today/), "\(own)")
        #expect(own.contains("ines, approve: status submitted → approved") && !own.contains("ines, approved"), "\(own)")
        let other = try Shell()
        var body = try #require(try shell.field.collection(of: .inspection).document(id: inspection.id)?.body)
        (body["changedBy"], body["changedAt"]) = ("tomas", "2026-03-04T12:00:00Z")
        try other.field.collection(of: .inspection).save(bodies: [(inspection.id, body.bytes)])
        let received = try await other.type("show \(id)", "log \(id)")
        #expect(received.contains(/Approved +ines, 11:15 today/), "\(received)")
        #expect(received.contains("ines, approved") && received.contains("tomas, changed last"), "\(received)")
        #expect(!received.contains("Returned  "))
    }

    /// When it was given does not change with what the supervisor does later.
    @Test func anApprovalKeepsItsTime() throws {
        let shell = try Shell()
        var inspection = Inspection(
            id: "inspection-aa", site: "site-mill", date: CalendarDay(daysSince1970: 20_516),
            district: District("hill") ?? .unknown)
        (inspection.inspector, inspection.status) = ("mara", .submitted)
        func author(_ name: String, after minutes: Int64) -> Author {
            Author(name: name, moment: Timestamp(secondsSince1970: 1_772_619_300 + minutes * 60))
        }
        try shell.field.inspections.add(inspection, by: author("mara", after: 0))
        let approved = try #require(try shell.field.approve(inspection.id, by: author("ines", after: 1)).reviewed)
        try shell.field.inspections.update(inspection.id, by: author("ines", after: 5)) { $0.notes = "later" }
        #expect(try shell.field.inspections.find(inspection.id)?.reviewed == approved)
        let reviews = try shell.field.log(of: .inspection, inspection.id).filter { $0.text == "approved" }
        #expect(reviews.map(\.moment) == [approved.at])
    }

    /// A supervisor who looks at changed findings and approves again is named, not the one before.
    @Test func anApprovalThatIsGivenAgainNamesItsSupervisor() throws {
        let shell = try Shell()
        var inspection = Inspection(
            id: "inspection-aa", site: "site-mill", date: CalendarDay(daysSince1970: 20_516),
            district: District("hill") ?? .unknown)
        (inspection.inspector, inspection.status) = ("mara", .submitted)
        func author(_ name: String) -> Author { Author(name: name, moment: Timestamp(secondsSince1970: 1_772_619_307)) }
        try shell.field.inspections.add(inspection, by: author("mara"))
        #expect(try shell.field.approve(inspection.id, by: author("ines")).reviewed?.by == "ines")
        try shell.field.findings.add(inspection.newFinding("finding-aa", text: "Dust"), by: author("mara"))
        #expect(try shell.field.approve(inspection.id, by: author("olga")).reviewed?.by == "olga")
        #expect(try shell.field.findings.all().records.count == 1)
    }

    /// A reason is needed, and one that nobody can see is none.
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

    @Test func aLongReasonIsCutWhereASyncNamesIt() {
        let returned = ReturnedInspection(
            reference: RecordReference(.inspection, id: "inspection-aa"), title: "Old mill",
            review: String(repeating: "again and ", count: 200))
        let lines = SyncText.returned([returned])
        #expect(lines.count == 2 && lines[1].hasSuffix("…") && lines[1].displayWidth < 230, "\(lines)")
    }

    @Test func theLogShowsWhatHappened() async throws {
        let shell = try shell()
        let transcript = try await shell.type("new inspection mill score=80 --yes", "edit 1 score=85", "log 1")
        #expect(transcript.contains("mara, edit: score 80 → 85"))
        #expect(transcript.contains("never sent; nobody else has it"))
    }

    @Test func textIsFoundWithoutItsAccents() async throws {
        let shell = try shell()
        let transcript = try await shell.type(
            "new inspection quay notes=\"Kühlraum zu warm\" --yes", "find kuhlraum", "show 1", "find cafe",
            "find nowhere")
        #expect(transcript.contains("Inspections\n#  ID"))
        #expect(transcript.contains("Kühlraum zu warm"))
        #expect(transcript.contains("Quay café, 2026-03-04"))
        #expect(transcript.contains("Sites\n"))
        #expect(transcript.contains("'nowhere' is found nowhere."))
    }

    @Test func photosAreHandledOneByOne() async throws {
        let shell = try shell()
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        let out = shell.root.appendingPathComponent("copy.png").path
        let transcript = try await shell.type(
            "new inspection mill", "\u{3}", "new inspection mill score=1 --yes", "attach 1 \(photo.path)",
            "attach 1 \(photo.path) --caption Side", "photo list 1", "photo rename 1 2 side.png",
            "photo save 1 side.png \(out)",
            "photo save 1 side.png \(out)", "photo remove 1", "photo remove 1 door.png", "n", "photo remove 1 door.png",
            "y",
            "photo rename 1 a/b", "photo list 1", "undo")
        #expect(transcript.contains("2 photos of inspection"))
        #expect(transcript.contains("Renamed door-2.png to side.png."))
        #expect(transcript.contains("Saved \(out)."))
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == Data(contentsOf: photo))
        #expect(transcript.contains("is there already; nothing was saved."))
        #expect(transcript.contains("Say which of the 2 photos."))
        #expect(transcript.contains("Nothing was removed."))
        #expect(transcript.contains("Removed door.png."))
        #expect(transcript.contains("must be a file's name without a folder"))
        #expect(transcript.contains("1 photo of inspection"))
        #expect(try shell.field.inspections.all().records.first?.photos.map(\.name) == ["door.png", "side.png"])
    }

    /// Photos whose files are gone or damaged on this laptop can be listed, renamed and taken out.
    @Test(arguments: [true, false]) func aDamagedPhotoIsRemoved(isGone: Bool) async throws {
        let shell = try shell()
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        let other = shell.root.appendingPathComponent("side.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 4, 5, 6]).write(to: other)
        _ = try await shell.type(
            "new inspection mill score=1 --yes", "attach 1 \(photo.path)", "attach 1 \(other.path)")
        var damaged = 0
        let files = FileManager.default.enumerator(at: shell.root, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathComponents.contains("attachments"), !file.hasDirectoryPath else { continue }
            damaged += 1
            if isGone { try FileManager.default.removeItem(at: file) } else { try Data([7]).write(to: file) }
        }
        try #require(damaged >= 2)
        let id = try #require(try shell.field.inspections.all().records.first?.id)
        // What is left out is named, and all else is done.
        let (file, folder) = (shell.root.appendingPathComponent("out.png"), shell.root.appendingPathComponent("out"))
        let saved = try await shell.type("photo save \(id) door.png \(file.path)", "export \(folder.path)")
        let short = RecordReference.short(id, kind: .inspection)
        #expect(
            saved.contains(
                "The photo door.png of the inspection \(short) is \(isGone ? "not" : "damaged") on this laptop"),
            "\(saved)")
        #expect(
            saved.contains(
                isGone
                    ? "Fetch them from the gateway, then export again: sync --reset"
                    : "2 attachments damaged on this laptop and left out"))
        #expect(saved.contains("\(id): door.png") && saved.contains("Exported to"), "\(saved)")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        let inside = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(inside.contains("inspections.jsonl") && !inside.contains { $0.hasSuffix("png") }, "\(inside)")
        let transcript = try await shell.type(
            "photo list \(id)", "photo rename \(id) side.png window.png", "photo remove \(id) door.png --yes",
            "edit \(id) score=2")
        #expect(transcript.contains("Removed door.png."), "\(transcript)")
        let record = try #require(try shell.field.inspections.find(id))
        #expect(record.photos.map(\.name) == ["window.png"] && record.score == 2)
        #expect(try await shell.type("photo remove \(id) --yes").contains("Removed window.png."))
    }

    /// A name that came by a sync is no path.
    @Test func aPhotoIsSavedIntoNoOtherFolder() async throws {
        let shell = try shell()
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]).write(to: photo)
        _ = try await shell.type("new inspection mill score=1 --yes", "attach 1 \(photo.path)")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        let collection = shell.field.collection(of: .inspection)
        var object = try #require(try collection.document(id: inspection.id)).body
        var image = try #require(object["photos"]?.arrayValue?.first?.objectValue)
        image["name"] = "../../evil.png"
        object["photos"] = .array([.object(image)])
        try collection.save(bodies: [(inspection.id, object.bytes)])
        let folder = shell.root.appendingPathComponent("out/in")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let transcript = try await shell.type("photo save \(inspection.id) 1 \(folder.path)")
        #expect(transcript.contains("Saved \(folder.path)/"), "\(transcript)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        #expect(!FileManager.default.fileExists(atPath: shell.root.appendingPathComponent("evil.png").path))
    }

    // MARK: Numbers and ids

    @Test func aNumberIsNeverAnID() async throws {
        let shell = try Shell()
        let author = Author(name: nil, moment: Timestamp(secondsSince1970: 0))
        for number in [1, 2, 10, 100] {
            try shell.field.sites.add(
                Site(id: "site-\(number)", name: "Stall \(number)", address: Address(), district: .unknown), by: author)
        }
        let first = try await shell.type("show 10")
        #expect(
            first.contains("There is no list yet that 10 could be a number of.")
                && first.contains("The record with this id: site-10."), "it may be the number of a list of yesterday")
        let transcript = try await shell.type("sites stall", "show 3", "show 10", "show site-2", "start 1")
        #expect(transcript.contains("1  site-1    Stall 1 "))
        #expect(transcript.contains("4  site-100  Stall 100"), "by their value, not as text")
        #expect(transcript.contains("The last list has 4 rows, and no number 10. The record with this id: site-10."))
        #expect(transcript.contains("Stall 2\n"))
        #expect(transcript.contains("1 is a site; an assignment is needed here."))
    }

    /// What is handed in closes the assignment of whom it is for.
    @Test func somebodyElsesAssignmentSaysSo() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new assignment mill inspector=tomas due=today --yes")
        let id = try #require(try shell.field.assignments.all().records.first?.id)
        let started = try await shell.type("start \(RecordReference.short(id, kind: .assignment)) --yes")
        #expect(started.contains("It is assigned to tomas: what you hand in does not close it."))
    }
}
