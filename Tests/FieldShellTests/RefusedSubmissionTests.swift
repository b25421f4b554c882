import DocumentStore
import DocumentValues
import FieldModels
@testable import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Inspections that were submitted here and refused by the gateway: only their inspector can correct them.
@Suite struct RefusedSubmissionTests {
    private static let district = "the district nowhere is not one of yours"
    private static let move = "only a supervisor moves records of others to other districts"
    private static let review = "only a supervisor says why it is returned"

    private func inspection(_ shell: Shell, by creator: String? = "mara") throws -> Inspection {
        try #require(try shell.field.inspections.all().records.first { $0.envelope.createdBy == creator })
    }

    private func short(_ shell: Shell, by creator: String? = "mara") throws -> String {
        RecordReference.short(try inspection(shell, by: creator).id, kind: .inspection)
    }

    /// A shell of an inspector with an inspection that the gateway has as a draft.
    private func shell(_ line: String = "new inspection mill form=kitchen fridge=4 --finding Dust --yes") async throws
        -> Shell
    {
        let shell = try Shell()
        try shell.signIn("mara")
        try shell.acknowledge(.site, "site-mill")
        _ = try await shell.type(line)
        try shell.acknowledge(.inspection, try inspection(shell).id)
        for finding in try shell.field.findings.all().records { try shell.acknowledge(.finding, finding.id) }
        return shell
    }

    private func colleagues(_ shell: Shell) throws -> String {
        let tomas = Author(name: "tomas", moment: Timestamp(secondsSince1970: 1_772_619_000))
        var draft = Inspection(
            id: "inspection-tomas", site: "site-mill", date: CalendarDay(daysSince1970: 20_516),
            district: District("hill") ?? .unknown)
        draft.inspector = "tomas"
        try shell.field.inspections.add(draft, by: tomas)
        try shell.acknowledge(.inspection, draft.id)
        return "tomas"
    }

    /// The gateway has it as a draft: the advice can be followed as it is written.
    @Test func itsDistrictIsCorrectedAfterItWasSubmitted() async throws {
        let shell = try await shell()
        let id = try short(shell)
        _ = try await shell.type("edit \(id) district=nowhere notes=important score=92", "submit \(id)")
        try shell.refuse(.inspection, try inspection(shell).id, Self.district)
        let finding = try #require(try shell.field.findings.all().records.first)
        try shell.refuse(.finding, finding.id, Self.district)
        // Another change that was sent keeps `undo` from reaching it.
        _ = try await shell.type("edit quay phone=1")
        try shell.acknowledge(.site, "site-quay")
        let shown = try await shell.type("outbox", "outbox show 1", "outbox show 2", width: 200)
        #expect(shown.contains("Move it to a district of yours: edit \(id) district=CODE"), "\(shown)")
        #expect(
            shown.contains("Move its inspection to a district of yours; it goes along: edit \(id) district="),
            "\(shown)")
        let moved = try await shell.type("edit \(id) district=hill", "edit \(id) score=93")
        #expect(
            moved.contains("Moved to hill with it: 1 finding.\nIt is submitted, and goes with the next sync."),
            "\(moved)")
        let sent = try inspection(shell)
        #expect(sent.status == .submitted && sent.notes == "important" && sent.score == 93, "\(moved)")
        #expect(sent.district?.code == "hill" && sent.envelope.channels == ["district.hill"])
        #expect(try shell.field.findings.all().records.map(\.district?.code) == ["hill"])
        try shell.acknowledge(.inspection, sent.id)
        let closed = try await shell.type(
            "edit \(id) score=94", "edit \(id) status=draft", "new finding \(id) text=x --yes", "delete \(id) --yes")
        #expect(closed.components(separatedBy: "is submitted, so it can").count == 5, "\(closed)")
        #expect(try inspection(shell).score == 93 && inspection(shell).status == .submitted)
    }

    /// One that was never sent is the inspector's as well, with its findings and photos.
    @Test func whatNoGatewayHasCanBeChangedAndDeleted() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill form=kitchen fridge=4 --finding Dust --yes", "submit 1")
        let id = try short(shell)
        let file = shell.root.appendingPathComponent("door.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: file)
        let done = try await shell.type(
            "edit \(id) notes=wet", "new finding \(id) text=Mice --yes", "attach \(id) \(file.path)", "list findings",
            "edit 1 risk=low", "delete \(id) --yes")
        #expect(!done.contains("can no longer") && done.contains("Deleted the inspection"), "\(done)")
        #expect(shell.field.inspections.count == 0)
    }

    @Test func aSubmissionIsTakenBack() async throws {
        let shell = try await shell()
        let id = try short(shell)
        let back = try await shell.type(
            "submit \(id)", "edit \(id) status=draft notes=later", "edit \(id) status=approved")
        #expect(back.contains("The inspection \(id) is a draft again.\nSaved the inspection \(id)."), "\(back)")
        #expect(back.contains("An inspection's status is changed by submit, approve and return."), "\(back)")
        let draft = try inspection(shell)
        #expect(draft.status == .draft && draft.submittedAt == nil && draft.notes == "later")
        let again = try await shell.type("edit \(id) status=draft")
        #expect(again.contains("is a draft; it cannot become a draft."), "\(again)")
    }

    @Test func whatWasReturnedIsReturnedAgain() async throws {
        let shell = try await shell()
        let id = try short(shell)
        _ = try await shell.type("submit \(id)")
        try shell.field.lifeCycle.sendBack(
            try inspection(shell).id, because: "score?",
            by: Author(name: "ines", moment: Timestamp(secondsSince1970: 9)))
        try shell.acknowledge(.inspection, try inspection(shell).id)
        let handedIn = try inspection(shell).submittedAt
        shell.session.environment.now = { Timestamp(secondsSince1970: 1_772_619_999) }
        _ = try await shell.type("submit \(id)")
        try #require(try inspection(shell).submittedAt != handedIn)
        let back = try await shell.type("edit \(id) status=draft")
        #expect(back.contains("The inspection \(id) is returned again."), "\(back)")
        #expect(try inspection(shell).submittedAt == handedIn && inspection(shell).review == "score?")
    }

    /// Its assignment was closed with it.
    @Test func anIncompleteOneIsADraftAgain() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let ines = Author(name: "ines", moment: Timestamp(secondsSince1970: 1_772_619_000))
        var assignment = Assignment(
            id: "assignment-a", inspector: "mara", site: "site-mill", due: shell.session.environment.today(),
            district: District("hill") ?? .unknown)
        assignment.form = "form-kitchen"
        try shell.field.assignments.add(assignment, by: ines)
        _ = try await shell.type("start assignment-a", "", "", "4", "n", "n", "", "", "", "list", "submit 1")
        let id = try short(shell)
        try #require(try shell.field.assignments.find("assignment-a")?.status == .done)
        let transcript = try await shell.type("edit \(id) fridge=")
        #expect(transcript.contains("Still to answer: Fridge °C"), "\(transcript)")
        #expect(transcript.contains("It is not submitted any more. When it is complete: submit \(id)"), "\(transcript)")
        #expect(try inspection(shell).status == .draft && inspection(shell).submittedAt == nil)
        let open = try #require(try shell.field.assignments.find("assignment-a"))
        #expect(open.status == .open && open.inspection == nil)
        _ = try await shell.type("edit \(id) fridge=3", "submit \(id)")
        #expect(try shell.field.assignments.find("assignment-a")?.status == .done)
    }

    // MARK: Records of others

    @Test func aColleaguesDraftIsNotMovedUnasked() async throws {
        let shell = try await shell()
        let tomas = try colleagues(shell)
        let id = try short(shell, by: tomas)
        let no = try await shell.type("edit \(id) district=shore notes=mine", "n")
        #expect(
            no.contains(
                "Only a supervisor moves records of others to other districts, and the inspection \(id) is tomas's. "
                    + "Move it all the same? y or n"), "\(no)")
        #expect(no.contains("Nothing was changed. Ask a supervisor to move it."), "\(no)")
        let untouched = try inspection(shell, by: tomas)
        #expect(untouched.district?.code == "hill" && untouched.notes == nil)
        let silent = SilentDialogue { _ in }
        shell.use(silent)
        await #expect(throws: UsageError.self) {
            try await CommandRunner(shell.session).run(
                .edit(
                    record: id,
                    values: [FieldValue("district", text: "shore"), FieldValue("notes", text: "mine")]))
        }
        #expect(try inspection(shell, by: tomas).notes == nil)
        // All users may change the rest of it, and move it within the district.
        _ = try await shell.type("edit \(id) notes=mine district=hill")
        #expect(try inspection(shell, by: tomas).notes == "mine")
    }

    @Test func anAnswerOfThatNameMovesNothing() async throws {
        let shell = try await shell()
        let tomas = try colleagues(shell)
        let author = Author(name: tomas, moment: Timestamp(secondsSince1970: 1_772_619_000))
        try shell.field.forms.add(
            FormDefinition(
                id: "form-streets", name: "Streets",
                fields: [FormField("district", label: "Which part of the town", kind: .text)]), by: author)
        let id = try inspection(shell, by: tomas).id
        try shell.field.inspections.update(id, by: author) { $0.form = "form-streets" }
        let transcript = try await shell.type("edit \(try short(shell, by: tomas)) district=docks")
        #expect(!transcript.contains("all the same"), "\(transcript)")
        let edited = try inspection(shell, by: tomas)
        #expect(edited.answers["district"] == "docks" && edited.district?.code == "hill", "\(transcript)")
    }

    @Test func theSiteOfAColleaguesDraftIsNotMovedUnasked() async throws {
        let shell = try await shell()
        let id = try short(shell, by: try colleagues(shell))
        let author = Author(name: "ines", moment: Timestamp(secondsSince1970: 1_772_619_000))
        try shell.field.sites.add(
            Site(id: "site-pier", name: "Pier", address: Address(), district: District("shore") ?? .unknown), by: author
        )
        try shell.acknowledge(.site, "site-pier")
        let refused = try await shell.type("edit \(id) site=pier", "n", "edit pier", "2", "hill", "n", "")
        #expect(refused.contains("and the inspection \(id) is tomas's. Move it all the same?"), "\(refused)")
        #expect(refused.contains("and the site pier is ines's. Sure? y or n"), "\(refused)")
        #expect(try inspection(shell, by: "tomas").site == "site-mill")
        #expect(try shell.field.sites.find("site-pier")?.district?.code == "shore")
        // A supervisor's laptop does not ask.
        try shell.signIn("ines")
        let moved = try await shell.type("edit \(id) site=pier")
        #expect(moved.contains("is of Pier now"), "\(moved)")
    }

    /// A user has done it all the same, or an earlier version of the program.
    @Test func aMoveThatWasRefusedIsTakenBack() async throws {
        let shell = try await shell()
        let id = try short(shell, by: try colleagues(shell))
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_100))
        try shell.field.inspections.update("inspection-tomas", by: author) {
            $0.envelope.move(to: District("shore") ?? .unknown)
            $0.notes = "mine"
        }
        _ = try await shell.type("submit \(id)", "y")
        try shell.refuse(.inspection, "inspection-tomas", Self.move)
        let shown = try await shell.type("outbox", "outbox show 1", width: 300)
        #expect(
            shown.contains(
                "Only a supervisor moves records of others to other districts. Move it back (edit ... district=hill), or "
                    + "ask one to move it."), "\(shown)")
        #expect(shown.contains("Move it back; the rest is sent then: edit \(id) district=hill"), "\(shown)")
        let back = try await shell.type("edit \(id) district=hill")
        #expect(!back.contains("all the same"), "\(back)")
        let sent = try inspection(shell, by: "tomas")
        #expect(sent.district?.code == "hill" && sent.notes == "mine" && sent.status == .submitted, "\(back)")
    }

    // MARK: Why it was returned

    private func entry(_ field: String, value: JSONValue, by: String) -> JSONValue {
        ["field": .string(field), "value": value, "by": .string(by), "at": "2026-03-04T09:00:00Z"]
    }

    /// Two supervisors have returned it for different reasons, as the gateway has it.
    private func returnedTwice(_ shell: Shell, scoreToo: Bool) throws {
        let collection = shell.field.collection(of: .inspection)
        let id = try inspection(shell).id
        var body = try #require(try collection.document(id: id)?.body)
        body["status"] = "returned"
        body["review"] = "score missing"
        body["score"] = scoreToo ? 80 : .null
        body["conflicts"] = .array(
            [entry("review", value: "score missing", by: "boss"), entry("review", value: "photo", by: "ines")]
                + (scoreToo ? [entry("score", value: 80, by: "mara"), entry("score", value: 60, by: "tomas")] : []))
        try collection.save(bodies: [(id, body.bytes)])
        try shell.acknowledge(.inspection, id)
    }

    private func reasons(_ shell: Shell) throws -> [String] {
        let conflict = try shell.field.conflicts.conflict(of: .inspection, try inspection(shell).id)
        return (conflict?.ofSupervisors?.fields ?? []).flatMap { [$0.current] + $0.others }
            .compactMap { $0.value?.stringValue }
    }

    @Test func theReasonIsNotAskedOfTheInspector() async throws {
        let shell = try await shell()
        try returnedTwice(shell, scoreToo: false)
        let id = try short(shell)
        let transcript = try await shell.type(
            "conflicts", "status", "list", "show \(id)", "conflicts show \(id)", "conflicts take \(id) \"photo\"",
            "conflicts take \(id) other", "conflicts take \(id) current", "conflicts take \(id) review=photo",
            width: 200)
        #expect(transcript.contains("There is nothing to decide."), "\(transcript)")
        #expect(!transcript.contains("(1 conflict)") && !transcript.contains("\(id) !"), "\(transcript)")
        #expect(transcript.contains("A supervisor decides: Returned because\n"), "\(transcript)")
        #expect(transcript.contains("Returned because: photo  (ines, "), "\(transcript)")
        #expect(transcript.contains("A supervisor decides about it."), "\(transcript)")
        let refusal = "Only a supervisor may decide that, and this inspection is your own."
        #expect(transcript.components(separatedBy: refusal).count == 5, "\(transcript)")
        #expect(try reasons(shell) == ["score missing", "photo"])
        let submitted = try await shell.type("edit \(id) notes=done score=3", "submit \(id)", "y")
        #expect(submitted.contains("Submitted \(id), "), "\(submitted)")
        #expect(try reasons(shell) == ["score missing", "photo"] && inspection(shell).review == "score missing")
    }

    @Test func otherFieldsAreDecidedWithoutIt() async throws {
        let shell = try await shell()
        try returnedTwice(shell, scoreToo: true)
        let id = try short(shell)
        let transcript = try await shell.type(
            "conflicts", "conflicts show 1", "conflicts take 1 theirs review=photo", "conflicts take 1 other",
            "show \(id)", width: 200)
        #expect(transcript.contains("1  inspection \(id), Old mill, 2026-03-04 routine  Score\n"), "\(transcript)")
        #expect(transcript.contains("Only a supervisor may decide that"), "\(transcript)")
        #expect(transcript.contains("Decided: Score is 60.\n"), "\(transcript)")
        #expect(!transcript.contains("Still to decide"), "\(transcript)")
        #expect(try inspection(shell).score == 60 && reasons(shell) == ["score missing", "photo"])
    }

    /// A supervisor has no work of their own here.
    @Test func aSupervisorIsAskedForIt() async throws {
        let shell = try await shell()
        try returnedTwice(shell, scoreToo: false)
        try shell.signIn("ines")
        let transcript = try await shell.type("conflicts", "conflicts take 1 other")
        #expect(transcript.contains("Returned because\n"), "\(transcript)")
        #expect(transcript.contains("Decided: Returned because is photo."), "\(transcript)")
        #expect(try reasons(shell).isEmpty && inspection(shell).review == "photo")
    }

    /// Who says something new has decided.
    @Test(arguments: ["approve", "return"]) func aNewReviewDecidesIt(step: String) async throws {
        let shell = try await shell()
        try returnedTwice(shell, scoreToo: false)
        let id = try short(shell)
        _ = try await shell.type("edit \(id) notes=done", "submit \(id)", "y")
        try shell.acknowledge(.inspection, try inspection(shell).id)
        try shell.signIn("ines")
        let transcript = try await shell.type(step == "approve" ? "approve \(id)" : "return \(id) again", "y", "y")
        #expect(try inspection(shell).status == (step == "approve" ? .approved : .returned), "\(transcript)")
        #expect(try shell.field.conflicts.all().isEmpty, "\(transcript)")
    }

    /// An earlier version took the inspector's decision, and the gateway refuses everything with it.
    @Test func whatWasDecidedBeforeIsLeftToASupervisor() async throws {
        let shell = try await shell()
        try returnedTwice(shell, scoreToo: false)
        let (id, author) = (
            try short(shell), Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_100))
        )
        let conflict = try #require(try shell.field.conflicts.conflict(of: .inspection, try inspection(shell).id))
        try shell.field.conflicts.decide(conflict, choices: [RecordConflict.review: "photo"], by: author)
        _ = try await shell.type("edit \(id) notes=done", "submit \(id)", "y")
        try shell.refuse(.inspection, try inspection(shell).id, Self.review)
        let shown = try await shell.type("outbox", "outbox show 1", "outbox retry 1", width: 300)
        #expect(shown.contains("Send the rest: outbox retry takes back what was decided about that"), "\(shown)")
        #expect(
            shown.contains("Leave it to a supervisor, and send the rest: outbox retry 1"),
            "\(shown)")
        let sent = try inspection(shell)
        #expect(sent.review == "score missing" && sent.notes == "done" && sent.status == .submitted, "\(shown)")
        #expect(try reasons(shell) == ["score missing", "photo"])
    }

    /// It is all of the line, or nothing.
    @Test(arguments: ["score=1000", "site=nowhere notes=later", "colour=red"])
    func aLineThatFailsTakesNothingBack(rest: String) async throws {
        let shell = try await shell()
        let id = try short(shell)
        let refused = try await shell.type("submit \(id)", "edit \(id) status=draft \(rest)")
        #expect(try inspection(shell).status == .submitted, "\(refused)")
        #expect(!refused.contains("is a draft again"), "\(refused)")
    }

    @Test func whatIsDoubtedTakesNothingBack() async throws {
        let shell = try await shell()
        let id = try short(shell)
        let doubted = try await shell.type("submit \(id)", "edit \(id) status=draft date=2036-01-01", "n")
        #expect(doubted.contains("Nothing was saved."), "\(doubted)")
        #expect(try inspection(shell).status == .submitted)
    }

    @Test func aLineDoesAllOfIt() async throws {
        let shell = try await shell()
        let id = try short(shell)
        let done = try await shell.type("submit \(id)", "edit \(id) status=draft site=quay notes=later")
        let draft = try inspection(shell)
        #expect(draft.status == .draft && draft.site == "site-quay" && draft.notes == "later", "\(done)")
        #expect(try shell.field.findings.all().records.map(\.site) == ["site-quay"])
        _ = try await shell.type("undo", "y")
        #expect(try inspection(shell).status == .submitted && inspection(shell).site == "site-mill")
    }
}
