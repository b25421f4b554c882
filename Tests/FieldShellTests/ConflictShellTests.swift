import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell
@testable import FieldSync

/// What a worker sees of records that were given different values on two devices, and decides.
@Suite struct ConflictShellTests {
    private func contested(_ shell: Shell, deletedToo: Bool = false) async throws -> String {
        try await shell.contestedDraft(deletedToo: deletedToo)
    }

    private func record(_ shell: Shell) throws -> Inspection? { try shell.field.inspections.all().records.first }

    @Test func thePromptSaysItUntilSomebodyHasDecided() async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "status", "conflicts take 1 mine", "status")
        let text = try shell.withoutIDs(transcript)
        #expect(
            text.hasPrefix(
                "1 record was given different values on two devices; you decide: conflicts\nfieldbook (1 conflict, 1 draft)> "
            ))
        #expect(text.contains("1  inspection ID, Old mill, 2026-03-04 routine  Fridge °C, Score"))
        #expect(text.contains("    80  (current; mara on "))
        #expect(text.contains("    60  (mara on old-laptop, 10:00 today)"))
        #expect(text.contains("    9  (current; ines on other, 10:00 today)"))
        #expect(text.contains("Decide: conflicts take 1 mine, or theirs, or fridge=VALUE"))
        #expect(text.contains("Decided: Fridge °C is 4, Score is 80."))
        #expect(text.components(separatedBy: "you decide: conflicts").count == 3, "\(text)")
        #expect(text.hasSuffix("fieldbook (1 draft)> \n"))
        #expect(try record(shell)?.score == 80 && record(shell)?.answers["fridge"] == 4)
        #expect(try record(shell)?.envelope.rest["conflicts"] == nil)
    }

    /// A decision is a command: the findings that go along with it come back with it, and are the person's own doing.
    @Test func aSiteThatWasChosenIsTakenBackWithItsFindings() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let device = try #require(try shell.session.settings().device)
        let id = try #require(try record(shell)?.id)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: device)
        try shell.field.inspections.update(id, by: author) { inspection in
            inspection.envelope.rest["conflicts"] = [
                Shell.contestedEntry("site", value: "site-mill", by: "mara", device: device),
                Shell.contestedEntry("site", value: "site-quay", by: "ines", device: "other"),
            ]
        }
        func sites() throws -> [String?] {
            try [record(shell)?.site] + shell.field.findings.all().records.map(\.site)
        }
        let taken = try await shell.type("show 1", "conflicts", "conflicts show 1", "conflicts take 1 theirs")
        #expect(try sites() == ["site-quay", "site-quay"], "\(taken)")
        let undone = try await shell.type("undo", "y")
        #expect(try sites() == ["site-mill", "site-mill"], "\(undone)")
    }

    @Test(arguments: [40, 60, 80]) func theListCutsNothing(width: Int) async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let transcript = try await shell.type("conflicts", width: width)
        let text = try shell.withoutIDs(transcript)
        let joined = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(joined.contains("1 inspection ID, Old mill, 2026-03-04 routine"), "\(text)")
        #expect(joined.contains("Fridge °C, Score") && !text.contains("…"), "\(text)")
        // The first line and the prompt are the terminal's to break.
        let list = transcript.split(separator: "\n").drop { !$0.hasPrefix("Different values") }.prefix {
            !$0.hasPrefix("fieldbook")
        }
        #expect(!list.isEmpty && list.allSatisfy { String($0).displayWidth <= width }, "\(transcript)")
    }

    /// Two inspections of one site are known by their day, how far they are and their score, not by their ids.
    @Test func inspectionsOfAnAssignmentAreDescribed() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=60 --yes", "submit 1", "new inspection mill score=80 --yes")
        let ids = try shell.field.inspections.all().records.sorted { $0.score ?? 0 < $1.score ?? 0 }.map(\.id)
        try #require(ids.count == 2)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: "d1")
        var assignment = Assignment(
            id: "assignment-a", inspector: "mara", site: "site-mill", due: shell.session.environment.today(),
            district: .unknown)
        assignment.inspection = ids[0]
        assignment.envelope.rest["conflicts"] = .array(
            zip(ids, ["d1", "d2"]).map {
                Shell.contestedEntry("inspection", value: .string($0), by: "mara", device: $1)
            })
        try shell.field.assignments.add(assignment, by: author)
        let short = ids.map { RecordReference.short($0, kind: .inspection) }
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "conflicts take 1 inspection=\(short[1])", width: 200)
        let titles = [
            "Old mill, 2026-03-04 routine, submitted, score 60 (\(short[0]))",
            "Old mill, 2026-03-04 routine, draft, score 80 (\(short[1]))",
        ]
        for part in [
            "due 2026-03-04  Inspection\n", "  Inspection\n    \(titles[0])  (current; mara on d1, 10:00 today)",
            "    \(titles[1])  (mara on d2, 10:00 today", "Decided: Inspection is \(titles[1]).",
        ] { #expect(transcript.contains(part), "\(part) in \(transcript)") }
        #expect(try shell.field.assignments.find("assignment-a")?.inspection == ids[1])
    }

    /// Another laptop has brought the versions together, and left the decision to people.
    @Test func aSyncThatReceivesAConflictSaysSo() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        var report = SyncReport()
        report.counts.pulled = [.inspection: 1]
        report.counts.undecided = try shell.field.undecided(
            among: [
                RecordReference(.inspection, id: id), RecordReference(.site, id: "site-mill"),
                RecordReference(.site, id: "gone"),
            ], for: "mara")
        #expect(
            SyncText.lines(report) == ["Received 1 inspection.", "1 inspection has something to decide: conflicts"])
        report.counts.undecided[.site] = 2
        #expect(SyncText.lines(report).last == "2 sites and 1 inspection have something to decide: conflicts")
        try ConflictNotices(session: shell.session).note(report)
        #expect(!(try await shell.type("status --json").contains("you decide: conflicts")))
    }

    @Test func listsMarkWhatIsToBeDecided() async throws {
        let shell = try Shell()
        let id = RecordReference.short(try await contested(shell), kind: .inspection)
        for line in ["list", "today"] {
            let transcript = try await shell.type(line)
            #expect(transcript.contains("\(id) !"), "\(transcript)")
            #expect(transcript.contains("! has something for you to decide: conflicts"))
        }
        _ = try await shell.type("conflicts take 1 mine")
        #expect(!(try await shell.type("list").contains("!")))
    }

    @Test func aSyncThatNamedAConflictIsEnough() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        var report = SyncReport()
        report.records.merged = [
            MergedRecord(
                reference: RecordReference(.inspection, id: id), title: "", outcome: .contested, subjects: "", lines: []
            )
        ]
        try ConflictNotices(session: shell.session).note(report)
        let transcript = try await shell.type("status --json")
        #expect(!transcript.contains("you decide: conflicts"))
        #expect(transcript.contains("(1 conflict, 1 draft)> "))
    }

    /// Without a list, the number of a conflict could be that of another one after the next sync.
    @Test func numbersOfConflictsCountOnceTheyWereShown() async throws {
        let shell = try Shell()
        _ = try await contested(shell)
        let device = try #require(try shell.session.settings().device)
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307), device: device)
        try shell.field.sites.update("site-mill", by: author) { site in
            site.envelope.rest["conflicts"] = [
                Shell.contestedEntry("phone", value: "1", by: "mara", device: device),
                Shell.contestedEntry("phone", value: "2", by: "ines", device: "o"),
            ]
        }
        let before = try await shell.type("conflicts take 1 mine")
        #expect(before.contains("No conflict has the number or the id '1'. List them: conflicts"))
        #expect(try shell.field.conflicts.all().count == 2)
        _ = try await shell.type("conflicts", "conflicts take 2 mine")
        #expect(try shell.field.conflicts.all().map(\.kind) == [.inspection])
    }

    /// A prompt says once why it cannot count.
    @Test func aPromptThatCannotCountSaysWhy() throws {
        let shell = try Shell()
        let dialogue = ScriptedDialogue(lines: [])
        shell.use(dialogue)
        try shell.field.close()
        for _ in 0..<2 { #expect(ConflictNotices(session: shell.session).mark() == nil) }
        #expect(dialogue.transcript.components(separatedBy: "What is to be decided cannot be read: ").count == 2)
    }

    /// Settings that cannot be read name no user; no record is saved as if no user had signed in.
    @Test func nothingIsSavedWithoutItsAuthor() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        try Data("{".utf8).write(to: shell.session.folder.settingsFile)
        #expect(throws: (any Error).self) { try shell.session.author() }
        let transcript = try await shell.type("new inspection mill score=90 --yes")
        #expect(try shell.field.inspections.all().records.isEmpty, "\(transcript)")
    }

    @Test func showAndProgramsSeeIt() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        let transcript = try await shell.type("show \(id)", "conflicts --json")
        #expect(transcript.contains("To decide: Fridge °C, Score"))
        #expect(transcript.contains("Score: 60  (mara on old-laptop, 10:00 today)"))
        let line = try #require(transcript.split(separator: "\n").first { $0.hasPrefix(#"{"_id""#) })
        let object = try JSONObject(parsing: Array(line.utf8))
        #expect(object["fields"]?[1]?["current"]?["value"] == 80 && object["fields"]?[1]?["field"] == "score")
        #expect(object["fields"]?[1]?["others"]?[0]?["device"] == "old-laptop")
    }

    /// An edit of a field that is to be decided replaces the value that its author saw; the other is still asked about.
    @Test func editingLeavesTheOtherValueToBeDecided() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        _ = try await shell.type("edit \(id) score=90", "edit \(id) fridge=4")
        let conflict = try #require(try shell.field.conflicts.all().first)
        #expect(conflict.fields.map(\.path.name) == ["score"])
        #expect(conflict.fields[0].current.value == 90 && conflict.fields[0].others.map(\.value) == [60])
    }

    /// A supervisor's decision is not the inspector's to change.
    @Test func whatWasApprovedIsNotTakenBackByItsInspector() async throws {
        let shell = try Shell()
        let id = try await contested(shell)
        try shell.signIn("mara")
        try shell.field.inspections.update(id, by: Author(name: "olga", moment: Timestamp(secondsSince1970: 0))) {
            $0.inspector = "mara"
            $0.status = .approved
        }
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "conflicts take 1 other", "conflicts take 1 current", width: 300)
        #expect(transcript.contains("Only a supervisor may decide that, and this inspection is your own."))
        let short = RecordReference.short(id, kind: .inspection)
        #expect(transcript.contains("You can confirm what was approved: conflicts take \(short) current"))
        let way = "A supervisor decides; you can confirm what was approved: conflicts take 1 current"
        #expect(transcript.contains(way), "\(transcript)")
        #expect(transcript.contains("Decided: Fridge °C is 9, Score is 80."))
    }

    @Test func nobodyReturnsTheirOwnWork() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --yes", "submit 1")
        let transcript = try await shell.type("return 1 which door")
        #expect(transcript.contains("This inspection is your own: a supervisor has to return it to you."))
        #expect(try record(shell)?.status == .submitted)
    }

    /// A sync service brings it without a word in the shell.
    @Test func thePromptNamesWhatWasReturned() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --yes", "submit 1")
        let dialogue = ScriptedDialogue(lines: [])
        shell.use(dialogue)
        _ = Prompt(session: shell.session).text()
        for (status, review) in [(Inspection.Status.returned, "which door?"), (.submitted, nil), (.returned, "again?")]
            as [(Inspection.Status, String?)]
        {
            var inspection = try #require(try record(shell))
            (inspection.status, inspection.review) = (status, review)
            try shell.field.collection(of: .inspection).save(bodies: [(inspection.id, inspection.object.bytes)])
            _ = Prompt(session: shell.session).text()
            _ = Prompt(session: shell.session).text()
        }
        let text = dialogue.transcript
        #expect(text.components(separatedBy: "1 inspection was returned to you:").count == 3, "\(text)")
        #expect(text.contains("Old mill, 2026-03-04 routine: which door?") && text.contains(": again?"), "\(text)")
    }

    @Test func statusNamesWhatWasReturned() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=90 --yes", "submit 1")
        let id = try #require(try record(shell)?.id)
        try shell.field.lifeCycle.sendBack(
            id, because: "which door?", by: Author(name: "olga", moment: Timestamp(secondsSince1970: 0)))
        let text = try await shell.withoutIDs(shell.type("status"))
        #expect(
            text.contains("1 inspection was returned to you:\n  ID, Old mill, 2026-03-04 routine: which door?"),
            "\(text)")
        #expect(!text.contains("not yet submitted"))
        _ = try await shell.type("new inspection mill score=80 --yes")
        try shell.field.inspections.add(
            Inspection(
                id: "inspection-tomas", site: "site-mill", date: CalendarDay(daysSince1970: 20_516),
                district: District("hill") ?? .unknown),
            by: Author(name: "tomas", moment: Timestamp(secondsSince1970: 0)))
        #expect(try await shell.type("status").contains("1 inspection not yet submitted: list --status draft --mine"))
    }
}
