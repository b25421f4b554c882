import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell
@testable import FieldSync

/// What a worker can do about refused records.
@Suite struct OutboxCommandTests {
    private static let reason = "a rule that no laptop knows says that records like this one wait until spring"

    @Test func anEmptyOutboxSaysSo() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("outbox", "outbox show 1", "outbox retry all", "outbox discard")
        #expect(transcript.contains("The gateway has refused nothing.\n"))
        #expect(transcript.contains("There is no number '1' in the outbox; it is empty."))
        #expect(transcript.contains("The outbox is empty.\n"))
        #expect(transcript.contains("Say which: outbox discard NUMBER. The numbers: outbox"))
    }

    @Test func theWholeReasonIsShownAtAnyWidth() async throws {
        let shell = try Shell()
        try shell.refuse(.site, "site-mill", Self.reason)
        for width in [40, 80] {
            let transcript = try await shell.type("outbox", "outbox show 1", width: width)
            #expect(transcript.split(separator: "\n").allSatisfy { $0.count <= width }, "\(transcript)")
            let text = transcript.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.components(separatedBy: Self.reason).count == 3, "\(transcript)")
            #expect(text.contains("1 new site mill, Old mill"))
            #expect(text.contains("Send it again as it is: outbox retry 1"))
        }
    }

    @Test func anEditIsDiscardedOnceSomebodySaysYes() async throws {
        let shell = try Shell()
        try shell.acknowledge(.site, "site-mill")
        _ = try await shell.type("edit mill phone=123")
        try shell.refuse(.site, "site-mill", Self.reason)
        let no = try await shell.type("outbox discard 1", "?", "n")
        #expect(no.contains("y does it; n, or Enter, leaves everything as it is."))
        #expect(no.contains("Discard your changes of the site Old mill? The gateway's version comes back."))
        #expect(no.contains("Nothing was discarded."))
        #expect(try shell.field.sites.find("site-mill")?.phone == "123")
        let yes = try await shell.type("outbox discard 1", "y", "outbox")
        #expect(yes.contains("The site Old mill is the gateway's version again."))
        #expect(yes.contains("The gateway has refused nothing."))
        #expect(try shell.field.sites.find("site-mill")?.phone == nil)
    }

    /// What came back from the quarantine, and is given up, leaves the laptop: also where other records of its district are
    /// here, it may have been taken away for a reason of its own.
    @Test(arguments: [true, false]) func nothingThatWasTakenAwayIsLeft(hasNeighbour: Bool) async throws {
        let shell = try Shell()
        try shell.acknowledge(.site, "site-mill")
        if hasNeighbour { try shell.acknowledge(.site, "site-quay") }
        _ = try await shell.type("edit mill phone=123")
        try shell.takeAway(.site, "site-mill")
        _ = try await shell.type("quarantine restore 1")
        let site = try #require(try shell.field.sites.find("site-mill"))
        let district = try #require(site.district?.code)
        let quay = try shell.field.sites.find("site-quay")?.district?.code
        try #require(quay == district)
        try shell.refuse(.site, "site-mill", "the district \(district) is not one of yours")
        let transcript = try await shell.type("outbox discard 1", "y", width: 300)
        #expect(transcript.contains("if that is in a district of yours"), "\(transcript)")
        #expect(try shell.field.sites.find("site-mill") == nil)
    }

    @Test func everythingIsDiscardedOneByOne() async throws {
        let shell = try Shell()
        for site in ["site-mill", "site-quay"] { try shell.refuse(.site, site, Self.reason) }
        let transcript = try await shell.type("outbox discard all", "y", "n")
        #expect(transcript.contains("Discard the new site Old mill? Nobody else has it."), "\(transcript)")
        #expect(transcript.contains("Nothing was discarded."))
        #expect(try shell.field.sites.all().records.map(\.id) == ["site-quay"])
        #expect(try await shell.type("outbox discard all --yes", "outbox discard all").contains("The outbox is empty."))
        #expect(try shell.field.sites.all().records.isEmpty)
    }

    private final class Meter: ProgressMeter {
        var steps: [String] = []
        func update(_ label: String, completed: UInt64, total: UInt64?) {
            steps.append("\(completed) of \(total ?? 0) \(label)")
        }
        func finish() { steps.append("done") }
    }

    /// A register that was refused takes minutes.
    @Test func howFarItIsIsShownWhereNobodyIsAsked() async throws {
        let meter = Meter()
        let shell = try Shell(meter: meter)
        for site in ["site-mill", "site-quay"] { try shell.refuse(.site, site, Self.reason) }
        _ = try await shell.type("outbox discard all", "n", "n")
        #expect(!meter.steps.contains { $0.contains("records") })
        meter.steps = []
        _ = try await shell.type("outbox discard all --yes")
        #expect(meter.steps.prefix(3) == ["0 of 2 records", "1 of 2 records", "done"])
    }

    @Test(arguments: ["\u{3}", "\u{4}"]) func whatWasDiscardedBeforeIsReported(key: String) async throws {
        let shell = try Shell()
        for site in ["site-mill", "site-quay"] { try shell.refuse(.site, site, Self.reason) }
        let transcript = try await shell.type("outbox discard all", "y", key)
        #expect(
            transcript.contains(
                "Discarded the site Old mill. Nothing of it is left.\nStopped. The rest stays in the outbox.\n"),
            "\(transcript)")
        #expect(try shell.field.sites.all().records.map(\.id) == ["site-quay"])
        let first = try await shell.type("outbox discard all", key)
        #expect(first.contains("Stopped. Nothing was changed.\n"), "\(first)")
    }

    /// Each is asked about when its turn comes; a finding that goes with its new inspection has none.
    @Test(arguments: [true, false]) func findingsOfWhatIsDiscardedHaveTheirTurn(isNew: Bool) async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first).id
        let finding = try #require(try shell.field.findings.all().records.first).id
        if !isNew {
            try shell.acknowledge(.inspection, inspection)
            try shell.acknowledge(.finding, finding)
            _ = try await shell.type("edit \(inspection) score=1", "edit \(finding) text=Mud")
        }
        try shell.refuse(.inspection, inspection, Self.reason)
        try shell.refuse(.finding, finding, Self.reason)
        let transcript = try await shell.type("outbox discard all --yes")
        #expect(!transcript.contains("still in the outbox"), "\(transcript)")
        #expect(transcript.contains("Nothing of it is left.") == isNew, "\(transcript)")
        #expect(try shell.field.outbox.all().isEmpty && shell.field.inspections.count == (isNew ? 0 : 1))
    }

    @Test func whatIsLeftOfAnInspectionIsNamed() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first).id
        let finding = try #require(try shell.field.findings.all().records.first).id
        try shell.acknowledge(.inspection, inspection)
        try shell.acknowledge(.finding, finding)
        _ = try await shell.type("edit \(inspection) score=1", "edit \(finding) text=Mud")
        try shell.refuse(.inspection, inspection, Self.reason)
        try shell.refuse(.finding, finding, Self.reason)
        let command = "outbox discard \(inspection)"
        let transcript = try await shell.type(command, "n", command, "y")
        #expect(
            transcript.components(separatedBy: "A finding of it is still in the outbox.").count == 2, "\(transcript)")
    }

    @Test func everythingIsKeptAtOnce() async throws {
        let shell = try Shell()
        for site in ["site-mill", "site-quay"] { try shell.refuse(.site, site, Self.reason) }
        let transcript = try await shell.type("outbox keep all", "outbox keep all")
        #expect(transcript.contains("2 records of the outbox stay here."), "\(transcript)")
        #expect(transcript.contains("Nothing in the outbox waits for a decision."), "\(transcript)")
        #expect(try shell.field.outbox.all().allSatisfy(\.isKept))
    }

    @Test func aRegisterIsLeftToTheOffice() async throws {
        let shell = try Shell()
        let reason = "only the office adds records under an id that no laptop makes: site-mill"
        try shell.refuse(.site, "site-mill", reason)
        let transcript = try await shell.type("outbox show 1")
        #expect(transcript.contains("Leave it to the office") && !transcript.contains("edit"), "\(transcript)")
    }

    /// The gateway refuses it from other users, however often they send it.
    @Test func whatWaitsForTheOfficeIsNotSentFromHere() async throws {
        let shell = try Shell()
        try shell.acknowledge(.site, "site-mill")
        try shell.refuse(
            .site, "site-mill", "the record is changed, and does not say that you changed it: site-mill")
        #expect(try shell.field.outbox.all().first?.awaits == .anotherLaptop)
        let shown = try await shell.type("outbox show 1", width: 300)
        #expect(shown.contains("If the office has lost it") && !shown.contains("outbox retry"), "\(shown)")
    }

    @Test func anAssignmentIsLeftToASupervisor() async throws {
        let shell = try Shell()
        let made = try await shell.type("new assignment mill form=kitchen inspector=mara due=2026-11-20", "y", "")
        #expect(made.contains("The gateway lets only supervisors assign work."), "\(made)")
        let id = try #require(try shell.field.assignments.all().records.first).id
        try shell.refuse(.assignment, id, "only a supervisor assigns work")
        let transcript = try await shell.type("outbox show 1")
        #expect(transcript.contains("Ask one to do it") && !transcript.contains("edit"), "\(transcript)")
    }

    /// The gateway refuses an assignment as a whole; giving that up does not undo the submitted inspection.
    @Test func whatIsDoneStaysDone() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        var assignment = Assignment(
            id: "assignment-a", inspector: "mara", site: "site-mill", due: shell.session.environment.today(),
            district: District("hill") ?? .unknown)
        assignment.form = "form-kitchen"
        let ines = Author(name: "ines", moment: Timestamp(secondsSince1970: 1_772_619_000))
        try shell.field.assignments.add(assignment, by: ines)
        try shell.acknowledge(.assignment, assignment.id)
        _ = try await shell.type(
            "edit assignment-a instructions=call", "start assignment-a", "", "", "4", "n", "n", "", "", "", "list",
            "submit 1")
        let done = try #require(try shell.field.assignments.find(assignment.id))
        try #require(done.status == .done && done.inspection != nil && done.instructions == "call")
        try shell.refuse(.assignment, assignment.id, "only a supervisor changes what was assigned")
        let transcript = try await shell.type("outbox discard 1", "y", "outbox", width: 300)
        #expect(transcript.components(separatedBy: " It stays done, by the inspection ").count == 3, "\(transcript)")
        #expect(transcript.contains("The gateway has refused nothing."), "\(transcript)")
        let kept = try #require(try shell.field.assignments.find(assignment.id))
        #expect(kept.status == .done && kept.inspection == done.inspection && kept.instructions == nil)
        // If only the closing is refused, the closing is given up.
        try shell.refuse(.assignment, assignment.id, Self.reason)
        let rest = try await shell.type("outbox discard all --yes")
        #expect(!rest.contains("stays done"), "\(rest)")
        #expect(try shell.field.assignments.find(assignment.id)?.status == .open)
        // The shell has shown it as done, and asks for the command again.
        let close = "edit assignment-a status=done"
        let start = try await shell.type("start assignment-a", "n", close, close, width: 300)
        #expect(start.contains("The assignment is done then: edit a status=done"), "\(start)")
        let linked = try #require(try shell.field.assignments.find(assignment.id), "\(start)")
        #expect(linked.status == .done && linked.inspection == done.inspection, "\(start)")
    }

    /// Nobody changes it back with `edit`.
    @Test func whatWasHandedInAndSentIsASupervisorsToReturn() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form=kitchen fridge=4 --yes", "submit 1")
        try shell.acknowledge(.inspection, try #require(try shell.field.inspections.all().records.first).id)
        let transcript = try await shell.type("undo")
        #expect(
            transcript.contains("A supervisor can return it to you") && !transcript.contains("edit"), "\(transcript)")
    }

    /// It is returned to who made it.
    @Test func whatWasHandedInOfAColleagueIsReturnedToThem() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill form=kitchen fridge=4 inspector=mara --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.signIn("olaf")
        _ = try await shell.type("list", "submit 1 --yes")
        try shell.acknowledge(.inspection, id)
        let transcript = try await shell.type("undo", width: 300)
        #expect(transcript.contains("is handed in. A supervisor can return it to mara\n"), "\(transcript)")
    }

    @Test func aNewRecordIsDiscardedWithNothingLeft() async throws {
        let shell = try Shell()
        try shell.refuse(.site, "site-mill", Self.reason)
        let transcript = try await shell.type("outbox discard mill", "y", "show mill")
        #expect(transcript.contains("Discard the new site Old mill? Nobody else has it. y or n"))
        #expect(transcript.contains("Discarded the site Old mill. Nothing of it is left."))
        #expect(try shell.field.sites.find("site-mill") == nil)
    }

    /// A number that a user has read never means another record later.
    @Test func aNumberIsGivenOnce() async throws {
        let shell = try Shell()
        try shell.refuse(.site, "site-mill", Self.reason)
        _ = try await shell.type("outbox", "outbox discard 1 --yes")
        try shell.refuse(.site, "site-quay", Self.reason)
        let transcript = try await shell.type("outbox discard 1 --yes", "outbox")
        #expect(transcript.contains("There is no number '1' in the outbox; it has 2."), "\(transcript)")
        #expect(transcript.contains("2  new site quay, Quay café"), "\(transcript)")
        #expect(try shell.field.sites.find("site-quay") != nil)
        // Once more refused it keeps its number.
        try shell.refuse(.site, "site-quay", "another reason")
        #expect(try await shell.type("outbox").contains("2  new site quay"))
    }

    /// Nor is such a number forgotten when its record is changed and refused again.
    @Test func anOldNumberStillNamesItsRecord() async throws {
        let shell = try Shell()
        try shell.refuse(.site, "site-mill", Self.reason)
        _ = try await shell.type("outbox", "edit 1 phone=1")
        try shell.refuse(.site, "site-mill", Self.reason)
        let transcript = try await shell.type("list sites", "outbox show 1", "outbox discard 1", "y", width: 200)
        #expect(transcript.contains("2  new site mill, Old mill"), "\(transcript)")
        #expect(try shell.field.sites.find("site-mill") == nil)
    }

    /// A record that stays at the gateway because of a photo is none that was refused.
    @Test func aMissingPhotoIsSaidToBeMissing() {
        var report = SyncReport()
        let text = RefusalText.message(ofFetch: 10_404, reason: "missing")
        report.failures = [
            SyncReport.Failure(
                isPush: false, reference: RecordReference(.inspection, id: "inspection-a"), message: text, title: nil,
                code: 10_404, reason: "missing")
        ]
        let lines = SyncText.lines(report)
        #expect(lines.count == 2 && lines[0] == "1 record is not here in the gateway's version:")
        #expect(lines[1].hasPrefix("  inspection a: a photo of it is missing at the gateway"), "\(lines)")
        #expect(!lines.joined().contains("outbox"))
    }

    /// What the laptop does not take in is no refusal of a write, and has no number of an error.
    @Test(arguments: [
        (10_403, "Attachment's doc not being synced", "it refers to a photo that is not attached to it at the gateway"),
        (
            29, "Its id cannot be kept here: an id has 1 to 240 bytes",
            "a record whose id cannot be kept here: an id has"
        ),
    ]) func whatIsNotTakenInIsExplained(code: Int, reason: String, beginning: String) {
        let text = RefusalText.message(ofFetch: code, reason: reason).text
        #expect(text.hasPrefix(beginning) && text.contains("administrator"), "\(text)")
        #expect(!text.contains("may not write") && !text.contains("29"))
    }

    @Test func nobodyIsAskedWithoutATerminal() async throws {
        let shell = try Shell()
        try shell.refuse(.site, "site-mill", Self.reason)
        shell.session.asksNothing = false
        let silent = SilentDialogue { _ in }
        shell.use(silent)
        let runner = CommandRunner(shell.session)
        await #expect(throws: UsageError.self) { try await runner.run(.outbox(.discard("1"))) }
        #expect(try shell.field.sites.find("site-mill") != nil)
        shell.session.asksNothing = true
        _ = try await runner.run(.outbox(.discard("1")))
        #expect(try shell.field.sites.find("site-mill") == nil)
    }

    @Test func whatIsKeptIsSilent() async throws {
        let shell = try Shell()
        try shell.refuse(.site, "site-mill", Self.reason)
        #expect(try await shell.type("status").contains("The gateway refused 1 record: outbox"))
        let transcript = try await shell.type("outbox keep 1", "status", "outbox")
        #expect(transcript.contains("The site mill stays here as it is."))
        #expect(!transcript.contains("The gateway refused 1 record: outbox"))
        #expect(transcript.contains("; kept: "))
        let again = try await shell.type("outbox retry 1", "status")
        #expect(again.contains("The site mill is sent again with the next sync: sync"))
        #expect(again.contains("The gateway refused 1 record: outbox"))
    }
}

/// What a gateway would have answered.
extension Shell {
    func store() throws -> ReplicationStore {
        try ReplicationStore(database: field.database, remote: "wss://gateway/field")
    }

    func refuse(_ kind: RecordKind, _ id: String, _ reason: String) throws {
        let revision = try #require(try store().revision(of: id, in: kind.collection)).revision
        try store().recordRejection(of: id, revision: revision, code: 403, reason: reason, in: kind.collection)
    }

    func acknowledge(_ kind: RecordKind, _ id: String) throws {
        let revision = try #require(try store().revision(of: id, in: kind.collection)).revision
        try store().markKnownToRemote(
            [AcknowledgedRevision(documentID: id, revision: revision)], in: kind.collection)
    }
}
