import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Questions and answers: nothing that was typed is lost, nothing is taken that was not meant.
@Suite struct EnteringTests {
    private static let leaving = ["\u{3}", "\u{4}"]

    private func drafts(_ shell: Shell) throws -> [Inspection] { try shell.field.inspections.all().records }

    @Test(arguments: leaving) func everyAnswerOfAnEditIsOnDisk(key: String) async throws {
        let shell = try Shell()
        let transcript = try await shell.type("edit quay", "7", "123", "8", "side door", key)
        let site = try #require(try shell.field.sites.find("site-quay"))
        #expect(site.phone == "123" && site.notes == "side door")
        #expect(transcript.contains("Stopped. What was answered until now is saved."))
        // The list of answers is shown once.
        #expect(transcript.components(separatedBy: "  1 Name: Quay café").count == 2)
    }

    @Test(arguments: leaving) func aDraftGoesOnAtItsFirstOpenQuestion(key: String) async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill", "", "2", "4.5", key)
        let transcript = try await shell.type("list", "edit 1", "y", key)
        let asked = try #require(transcript.components(separatedBy: "Ctrl-C keeps what you have.\n").last)
        #expect(asked.hasPrefix("Basin, y or n: y\nPests, y or n: "), "\(asked)")
        let draft = try #require(try drafts(shell).first)
        #expect(draft.answers["fridge"] == 4.5 && draft.answers["basin"] == true && draft.visit == .complaint)
    }

    /// Nor is the value in brackets an answer before Enter was pressed.
    @Test(arguments: leaving) func aVisitThatNobodyWasAskedForIsAskedForFirst(key: String) async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill", "-1", key)
        let begun = try #require(try drafts(shell).first)
        #expect(begun.isVisitOpen && begun.object["visit"] == nil)
        let refused = try await shell.type("edit \(begun.id) fridge=4 basin=y pests=n", "submit \(begun.id)")
        #expect(refused.contains("Still to answer: Visit"), "\(refused)")
        #expect(refused.contains("Not submitted yet. Still to answer: Visit."), "\(refused)")
        let transcript = try await shell.type("edit \(begun.id)", "3", key)
        let asked = try #require(transcript.components(separatedBy: "Ctrl-C keeps what you have.\n").last)
        #expect(asked.hasPrefix("Visit\n  1 routine\n") && asked.contains("Number [1]: 3"), "\(asked)")
        #expect(try drafts(shell).first?.statedVisit == .followUp)
    }

    /// A user who looks for missing answers finds them.
    @Test func aVisitThatNobodySaidIsNotShown() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill", "-1", "\u{3}")
        let transcript = try await shell.type("list", "show 1", "today", "show mill")
        #expect(transcript.contains("2026-03-03  draft"), "\(transcript)")
        #expect(!transcript.contains("routine"), "\(transcript)")
    }

    /// Enter takes the value in the brackets.
    @Test func aVisitIsRoutineByEnter() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill", "-1", "", ".", "")
        #expect(try drafts(shell).map(\.statedVisit) == [.routine])
        // Without questions it is what the command's help says.
        let quiet = try await shell.type("new inspection quay --yes")
        #expect(try drafts(shell).map(\.statedVisit) == [.routine, .routine], "\(quiet)")
    }

    @Test(arguments: leaving) func aFindingIsSavedWithItsText(key: String) async throws {
        let shell = try Shell()
        let transcript = try await shell.type("new inspection mill score=90 --yes", "new finding 1", "No soap", key)
        #expect(try shell.field.findings.all().records.map(\.text) == ["No soap"])
        #expect(transcript.contains("Stopped. Your answers so far are kept as finding "))
        let none = try await shell.type("list", "new finding 1", key)
        #expect(none.contains("Stopped. Nothing was saved."))
    }

    /// Without a risk its questions were not asked to their end.
    @Test(arguments: leaving) func aFindingGoesOnAtItsFirstOpenQuestion(key: String) async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill score=90 --yes", "new finding 1", "No soap", key, "list findings", "edit 1", "1", "")
        let asked = try #require(transcript.components(separatedBy: "Ctrl-C keeps what you have.\n").last)
        #expect(asked.hasPrefix("Risk") && !asked.contains("Change number"), "\(asked)")
        #expect(try shell.field.findings.all().records.first?.risk != nil)
        // One that is whole, or to which nothing is added, is changed by numbers.
        let whole = try await shell.type("list findings", "edit 1", "")
        #expect(whole.contains("Change number"))
    }

    /// The questions stay on the screen beside an answer of pages.
    @Test func longAnswersAreCutWhereOthersAreAsked() async throws {
        let shell = try Shell()
        let long = String(repeating: "again and ", count: 200) + "again"
        _ = try await shell.type("edit mill notes='\(long)'")
        let menu = try await shell.type("edit mill", "notes", "", "")
        #expect(menu.contains("Notes: again and") && menu.contains("…") && menu.count < 1_500, "\(menu)")
        #expect(try shell.field.sites.find("site-mill")?.notes == long)
    }

    /// Who types where a remark is mostly means to add to it.
    @Test func aLongAnswerIsNotReplacedUnasked() async throws {
        let remark = "The cold store was at 14 degrees, its door does not close, and the log is kept elsewhere."
        let both = remark + "\nWet floor."
        let cases: [(lines: [String], notes: String?)] = [
            (["Wet floor.", "n", ""], remark), (["Wet floor.", "a"], both), (["+ Wet floor."], both),
            (["Wet floor.", "y"], "Wet floor."), (["-", "n", ""], remark), (["-", "y"], nil),
        ]
        for (lines, notes) in cases {
            let shell = try Shell()
            _ = try await shell.type("edit mill notes='\(remark)'")
            let dialogue = ScriptedDialogue(lines: ["edit mill", "notes"] + lines + [""])
            shell.use(dialogue)
            _ = await shell.loop().run()
            #expect(try shell.field.sites.find("site-mill")?.notes == notes, "\(dialogue.transcript)")
            #expect(dialogue.transcript.contains("+ TEXT adds to this answer"), "\(dialogue.transcript)")
        }
    }

    /// A short text is replaced without a question, and lines of a pipe do not answer a question that they could not know.
    @Test(arguments: [true, false]) func otherAnswersAreReplaced(isTyped: Bool) async throws {
        let shell = try Shell()
        let long = String(repeating: "again and ", count: 20) + "again"
        _ = try await shell.type("edit mill notes='\(isTyped ? "Two doors." : long)'")
        shell.use(ScriptedDialogue(lines: ["edit mill", "notes", "Wet floor.", ""], mayConsent: isTyped))
        _ = await shell.loop().run()
        #expect(try shell.field.sites.find("site-mill")?.notes == "Wet floor.")
    }

    /// A finding is part of the submitted inspection, except for the day on which it is fixed.
    @Test func theFindingsOfWhatIsHandedInStay() async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill form=kitchen fridge=4 basin=y pests=n --finding Dust --yes", "submit 1")
        let inspection = try #require(try drafts(shell).first)
        try #require(inspection.status == .submitted)
        try shell.acknowledge(.inspection, inspection.id)
        let transcript = try await shell.type(
            "list findings", "edit 1 text=Other", "edit 1", "delete 1 --yes", "edit 1 corrected=2026-03-05")
        let finding = try #require(try shell.field.findings.all().records.first)
        #expect(finding.text == "Dust" && finding.corrected?.description == "2026-03-05", "\(transcript)")
        #expect(transcript.components(separatedBy: "which is submitted, so it can no longer be changed").count == 4)
        try shell.field.lifeCycle.sendBack(
            inspection.id, because: "again", by: Author(name: "ines", moment: Timestamp(secondsSince1970: 0)))
        _ = try await shell.type("list findings", "edit 1 text=Other")
        #expect(try shell.field.findings.all().records.first?.text == "Other")
        _ = try await shell.type("list findings", "delete 1 --yes")
        #expect(shell.field.findings.count == 0)
    }

    @Test func aLineAnswersWhatItNamesAndTheRestIsAsked() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill fridge=4 score=80 form=kitchen", "", "1", "n", "n", "ok", "")
        let draft = try #require(try drafts(shell).first)
        #expect(draft.answers["fridge"] == 4 && draft.score == 80 && draft.notes == "ok")
        #expect(draft.answers["basin"] == false)
        #expect(!transcript.contains("Fridge °C, -5"))
        let quiet = try await shell.type("new inspection mill fridge=4 --yes")
        #expect(!quiet.contains("Basin"))
    }

    /// A slip of a number is seen before all questions are answered.
    @Test func whatIsAskedAboutIsNamedFirst() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let transcript = try await shell.type(
            "edit quay street='5 Quay Street'", "new inspection quay", "\u{3}",
            "new inspection quay score=1 notes=x --yes", "new finding 1", "\u{3}", "edit 1", "\u{3}")
        let signs = AnswerLine.signs
        #expect(transcript.contains("\nQuay café, 5 Quay Street, form Kitchen\n\(signs)\n"), "\(transcript)")
        #expect(transcript.contains("\nQuay café, 2026-03-04 routine\n\(signs)\n"), "\(transcript)")
        #expect(transcript.contains("\nQuay café, 2026-03-04 routine\n  1 Date: "), "\(transcript)")
    }

    @Test func theMenuSaysHowAFindingIsAdded() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let transcript = try await shell.type(
            "new inspection mill score=1 notes=x --yes", "edit 1", "finding", "", "edit mill", "finding", "")
        let inspection = try #require(try drafts(shell).first)
        let id = RecordReference.short(inspection.id, kind: .inspection)
        let way = "Enter, then: new finding \(id)\n"
        #expect(transcript.components(separatedBy: way).count == 2, "\(transcript)")
    }

    /// Questions that a later version of the form adds cannot be answered any more.
    @Test func whatIsApprovedIsNotAskedForAnswers() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form=kitchen fridge=4 basin=y pests=n --yes", "submit 1")
        let inspection = try #require(try drafts(shell).first)
        let author = Author(name: "ines", moment: Timestamp(secondsSince1970: 0))
        try shell.field.lifeCycle.approve(inspection.id, by: author)
        try shell.field.forms.update("form-kitchen", by: author) { form in
            form.version = 2
            form.fields.append(FormField("fence", label: "Fence", kind: .yesNo, isRequired: true))
        }
        let transcript = try await shell.type("submit \(inspection.id)")
        #expect(transcript.contains("approved") && !transcript.contains("Fence"), "\(transcript)")
    }

    @Test func oneQuestionBack() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill", "<", "-1", "2", "9", "<", "4", "y", "n", "", "", "")
        let draft = try #require(try drafts(shell).first)
        #expect(transcript.contains("Date [2026-03-04]: <\nThis is the first question.\n"))
        #expect(transcript.contains("Basin, y or n: <\nFridge °C, -5 to 12 [9]: 4\nBasin, y or n: y\n"))
        #expect(draft.answers["fridge"] == 4 && draft.answers["basin"] == true && draft.answers["pests"] == false)
    }

    @Test func answersCanBeListedChangedAndCleared() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill", "", "", "9", ":all", ":go fridge", "-", "y", "?", ":nonsense", "n", ".", "")
        let draft = try #require(try drafts(shell).first)
        #expect(draft.answers["fridge"] == nil && draft.answers["basin"] == true)
        #expect(transcript.contains("  3 Fridge °C: 9\n"))
        #expect(transcript.contains("  Pests: y or n\n") && transcript.contains("There is no ':nonsense' here."))
    }

    /// An answer that opens or closes questions shifts no number that is on the screen.
    @Test func aNumberIsThatOfTheShownList() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let transcript = try await shell.type(
            "new inspection mill", "", "", "4", "y", "y", ":all", ":go 5", "n", ":go 7", "80", ":go 6", "\u{3}")
        #expect(transcript.contains("  7 Score: \n"), "\(transcript)")
        #expect(transcript.contains("Question 6 of the list is not asked any more."), "\(transcript)")
        let draft = try #require(try drafts(shell).first)
        #expect(draft.answers["pests"] == false && draft.score == 80 && draft.inspector == "mara")
    }

    /// The numbers of other lists choose rows.
    @Test func aNumberBelowTheListIsAskedAbout() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let transcript = try await shell.type(
            "new inspection mill", "", "", "4", "y", "n", ":all", "4", "n", ":go 3", ":all", "5", "y", ".")
        #expect(transcript.contains("  To go to one of them: :go NUMBER\n"), "\(transcript)")
        let question = "Row 4 of the list is Basin, to which this goes: :go 4. Here 4 is the answer. Sure? y or n [n] n"
        #expect(transcript.contains(question), "\(transcript)")
        #expect(transcript.contains("Row 5 of the list is Pests,"), "\(transcript)")
        let draft = try #require(try drafts(shell).first)
        #expect(draft.score == nil && draft.answers["fridge"] == 5)
    }

    @Test func theInspectorIsNotTakenAwayByASlip() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let open = "new inspection mill inspector=mara --yes"
        let kept = try await shell.type(open, "edit 1", ":go inspector", "-", "n", "\u{3}")
        #expect(kept.contains("Inspector is nobody then, instead of mara. Sure? y or n [n] n"), "\(kept)")
        #expect(try drafts(shell).map(\.inspector) == ["mara"])
        _ = try await shell.type("list", "edit 1", ":go inspector", "-", "y", "\u{3}")
        #expect(try drafts(shell).map(\.inspector) == [nil])
    }

    /// As after another version of its form.
    @Test func aWrongAnswerIsAskedAgain() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type(
            "new inspection mill form=kitchen fridge=4 basin=y pests=y which=mice score=1 notes=dry --yes")
        let id = try #require(try drafts(shell).first).id
        try shell.field.inspections.update(id, by: shell.session.author()) { $0.answers["which"] = 3 }
        let transcript = try await shell.type(
            "submit 1", "show 1", "edit 1", ":all", "2", "", "submit 1", width: 200)
        #expect(transcript.contains("Wrong: Which must be one of mice, moths, not 3."), "\(transcript)")
        #expect(transcript.contains("3 (wrong: it must be one of mice, moths, not 3)\n"), "\(transcript)")
        #expect(transcript.contains("what is still open, or wrong."), "\(transcript)")
        #expect(transcript.contains("  6 Which: 3  (wrong)\n"), "\(transcript)")
        #expect(try drafts(shell).map { $0.answers["which"] } == ["moths"])
        #expect(try drafts(shell).map(\.status) == [.submitted])
    }

    @Test func noLineOfAnAnswerLooksLikeAField() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try drafts(shell).first).id
        try shell.field.inspections.update(id, by: shell.session.author()) { $0.notes = "mice\n8 Score: 100" }
        let transcript = try await shell.type("edit 1", ":all", ".", "")
        #expect(transcript.contains(" Notes: mice\n      8 Score: 100\n"), "\(transcript)")
    }

    @Test func answersAreShownInTheOrderOfTheForm() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill form=kitchen pests=y fridge=4 --yes", "edit 1 basin=y", "show 1")
        let shown = try #require(transcript.components(separatedBy: "> show 1").last)
        let labels = ["Fridge °C", "Basin", "Pests"].map { shown.range(of: $0)?.lowerBound }
        #expect(labels.compactMap(\.self).count == 3, "\(shown)")
        #expect(labels.compactMap(\.self) == labels.compactMap(\.self).sorted(), "\(shown)")
    }

    @Test func aFindingOfSeveralLinesIsNamedInOne() async throws {
        let shell = try Shell()
        let long = String(repeating: "word ", count: 2_400) + "end"
        let transcript = try await shell.type(
            "new inspection mill --yes", "new finding 1", "one⏎two", "", "", "", "list findings", "edit 1 risk=low",
            "delete 1", "y", "list", "edit 1", "", "", "", long, "", width: 300)
        #expect(transcript.contains("Saved the finding: one⏎two."), "\(transcript)")
        #expect(transcript.contains("Saved the finding one⏎two."), "\(transcript)")
        #expect(transcript.contains("Delete the finding 'one⏎two' at Old mill"), "\(transcript)")
        #expect(transcript.contains("\nFinding must have at most 10000 characters"), "\(transcript)")
    }

    @Test func theTextOfANewFindingIsReachedAgain() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill", "", "", "", "", "", "", "", "Dast", "<", "Dust", "<", "", ":all", "2", "")
        #expect(transcript.contains("What is wrong [Dast]: Dust"), "\(transcript)")
        #expect(transcript.contains("What is wrong [Dust]: \n"), "\(transcript)")
        #expect(transcript.contains("  1 What is wrong: Dust\n  2 Risk: "), "\(transcript)")
        let findings = try shell.field.findings.all().records
        #expect(findings.map(\.text) == ["Dust"] && findings.map(\.risk) == [.moderate])
    }

    @Test func severalLinesOfText() async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill form=kitchen --yes", "edit 1", "4", "y", "n", "88", "first\\", "second", "")
        #expect(try drafts(shell).map(\.notes) == ["first\nsecond"])
        // As it comes from a terminal after a paste.
        _ = try await shell.type("edit quay", "8", "one⏎two", "1", "New⏎name", "")
        let site = try #require(try shell.field.sites.find("site-quay"))
        #expect(site.notes == "one\ntwo" && site.name == "New name")
    }

    @Test func numbersAreShownAgainOnceAnAnswerHasShiftedThem() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type(
            "new inspection mill form=kitchen fridge=4 basin=yes pests=no score=1 notes=dry --yes")
        let same = try await shell.type("edit 1", "fridge", "5", "")
        #expect(same.components(separatedBy: "Fridge °C: ").count == 2, "\(same)")
        let shifted = try await shell.type("edit 1", "pests", "y", "")
        #expect(shifted.components(separatedBy: "Fridge °C: ").count == 3 && shifted.contains("Which: "), "\(shifted)")
    }

    @Test func whatMayBeASlipIsAskedAbout() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let transcript = try await shell.type(
            "new inspection mill", "2027-04-07", "n", "y", "n", "-1", ".", "", "edit 1 inspector=marra", "n",
            "edit 1 date=1890-01-01", "n", "edit 1 inspector=mara")
        #expect(transcript.contains("2027-04-07 is 399 days ahead. Sure? y or n [n] n"))
        #expect(transcript.contains("Here y is yesterday, 2026-03-03. Sure? y or n [n] n"))
        #expect(transcript.contains("No record here has the user 'marra'. Sure? y or n [n] n"))
        #expect(transcript.contains("1890-01-01 is 49735 days ago. Sure?"))
        let draft = try #require(try drafts(shell).first)
        #expect(draft.date.description == "2026-03-03" && draft.inspector == "mara")
    }

    @Test func aRiskHasNoDefault() async throws {
        let shell = try Shell()
        _ = try await shell.type(
            "new inspection mill", "", "", "", "", "", "", "", "No soap", "", "Dust", "3", "")
        #expect(try Set(shell.field.findings.all().records.map(\.risk)) == [nil, .high])
    }

    // MARK: Taking away

    @Test func nothingIsDestroyedWhereNobodyCanBeAsked() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=90 --yes --finding Dust")
        shell.use(SilentDialogue { _ in })
        shell.session.asksNothing = false
        let id = try #require(try drafts(shell).first?.id)
        for record in [id, "site-quay", try #require(try shell.field.findings.all().records.first?.id)] {
            await #expect(throws: UsageError.self) {
                try await CommandRunner(shell.session).run(.delete(record: record))
            }
        }
        #expect(shell.field.sites.count == 2 && shell.field.inspections.count == 1 && shell.field.findings.count == 1)
        shell.session.asksNothing = true
        _ = try await CommandRunner(shell.session).run(.delete(record: id))
        #expect(shell.field.inspections.count == 0 && shell.field.findings.count == 0)
    }

    @Test func theQuestionNamesWhatGoes() async throws {
        let shell = try Shell()
        let photo = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47]).write(to: photo)
        let transcript = try await shell.type(
            "new inspection mill --finding Dust --finding Soot --yes", "attach 1 \(photo.path)", "delete 1", "n")
        #expect(
            transcript.contains(
                "Delete the inspection of Old mill, 2026-03-04 routine, draft, with 2 findings and 1 photo? y or n [n] n"
            ))
        #expect(shell.field.inspections.count == 1)
    }

    @Test func nobodyIsAskedAboutWhatCannotBeDeleted() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill score=88 --yes", "submit 1")
        try shell.acknowledge(.inspection, try #require(try drafts(shell).first).id)
        let transcript = try await shell.type("delete 1", "delete mill")
        #expect(!transcript.contains("Delete the "), "\(transcript)")
        #expect(transcript.contains("is submitted, so it cannot be deleted. Ask a supervisor to return it to you"))
        #expect(
            transcript.contains(
                "The site Old mill has 1 inspection and cannot be deleted before. See the inspections: list --site mill"
            ))
    }
}

/// What is typed, byte by byte and line by line.
@Suite struct TypedTextTests {
    @Test(arguments: [
        ("", AnswerLine.skip), (".", .stop), ("<", .back), ("?", .explain), ("-", .clear), ("-5", .answer("-5")),
        (":all", .overview), (":go  3", .go("3")), ("::x", .answer(":x")), (":x", .unknown(":x")),
        ("+  x", .add("x")), ("+49 1", .answer("+49 1")), ("+", .answer("+")),
        ("a < b", .answer("a < b")), ("...", .answer("...")),
    ])
    func linesThatSteer(line: String, meaning: AnswerLine) { #expect(AnswerLine(line) == meaning) }

    @Test(arguments: [
        ("plain\r", "plain\r"), ("\u{1B}[A\u{1B}x", "\u{1B}[A\u{1B}x"),
        ("\u{1B}[200~one\r\ntwo\rthree\n\u{1B}[201~\r", "one⏎two⏎three\r"),
        ("a\u{1B}[200~\n\ntab\there\u{7}\u{1B}[31m\u{1B}[201~b\r", "atab here[31mb\r"),
        // An empty line between two paragraphs.
        ("\u{1B}[200~one\r\n\r\ntwo\n\n\n\nthree\n\n\u{1B}[201~\r", "one⏎⏎two⏎⏎three\r"),
        ("\u{1B}\u{1B}[200~x\u{1B}[201~", "\u{1B}x"),
    ])
    func pastedTextIsOneLine(typed: String, edited: String) {
        var filter = PasteFilter()
        let bytes = typed.utf8.flatMap { filter.take($0) }
        #expect(String(decoding: bytes, as: UTF8.self) == edited)
    }

    private func typing(_ typed: String) -> (line: String, room: LineRoom) {
        var room = LineRoom(4, most: 3)
        let edited = typed.unicodeScalars.filter { room.take($0) == .edited }
        return (String(String.UnicodeScalarView(edited)), room)
    }

    /// Text that does not fit the screen is entered all the same.
    @Test(
        arguments: [
            ("abcd", "abcd", nil), ("abcdefg", "abcdefg", "The line shows the first 4 letters; all 7 were taken."),
            ("abcde⏎f", "abcde⏎f", "The line shows the first 4 letters; all 7 were taken."),
            (
                "abcdefghi", "abcdefg",
                "The line shows the first 4 letters; 7 were taken, and 2 were cut off behind them."
            ), ("abcdef\u{7F}", "abcde", "The line shows the first 4 letters; all 5 were taken."),
            ("abcde\u{7F}x", "abcdx", "The line shows the first 4 letters; all 5 were taken."),
        ] as [(String, String, String?)])
    func aLongPasteIsTakenWhole(typed: String, text: String, note: String?) {
        let (line, room) = typing(typed)
        #expect(room.whole(line) == text)
        #expect(room.note(on: line) == note)
    }

    /// Arrows are keys, and Ctrl-U takes the whole line away.
    @Test func keysNeedNoRoom() {
        #expect(typing("abcd\u{1B}[A\u{1B}OB\u{1B}[200~\u{1B}x").line == "abcd\u{1B}[A\u{1B}OB\u{1B}[200~\u{1B}x")
        let (line, room) = typing("abcdef\u{15}")
        #expect(room.whole(line) == "abcd\u{15}" && room.note(on: line) == nil)
    }

    /// After a paste was removed, the line has room for new text again.
    @Test(arguments: [
        ("abcdef\u{15}show", "abcd\u{15}show"), ("abcdefghi\u{15}show", "abcd\u{15}show"),
        ("abcd\u{7F}x", "abcd\u{7F}x"), ("abcde\u{7F}\u{8}x", "abcd\u{8}x"), ("\u{7F}abcd", "\u{7F}abcd"),
    ])
    func whatIsTakenAwayLeavesItsRoom(typed: String, edited: String) {
        let (line, room) = typing(typed)
        #expect(line == edited && room.whole(line) == edited)
        #expect(room.note(on: line) == nil)
    }

    @Test func answersAreCompleted() {
        let completer = Completer(answers: ["Quay café", "Quarry", "Old mill"])
        #expect(completer.completions(of: "qua", behind: "qua") == ["Quay café", "Quarry"])
        #expect(completer.completions(of: "quay C", behind: "quay C") == ["Quay café"])
        #expect(completer.completions(of: "x", behind: "x").isEmpty)
    }
}
