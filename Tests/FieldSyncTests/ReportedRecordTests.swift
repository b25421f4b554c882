import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Replication
import Testing

@testable import FieldSync

/// The records that a report names, by what people know them by.
@Suite struct ReportedRecordTests {
    private struct Wording: SyncWording {
        func text(of error: any Error) -> AdvisedText { "error" }

        func contested(_ conflict: RecordConflict) -> ContestedText {
            ContestedText(subjects: "\(conflict.fields.count) field", lines: ["dry or wet"])
        }
    }

    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private func environment(_ wording: any SyncWording = Wording()) -> SyncEnvironment {
        SyncEnvironment(field: temporary.field, wording: wording, now: { TemporaryFolder.now })
    }

    private func contest() throws {
        let inspections = temporary.field.collection(of: .inspection)
        var body = try #require(try inspections.document(id: "inspection-1")).body
        body["notes"] = "dry"
        body["conflicts"] = [
            ["field": "notes", "value": "dry", "by": "mara", "at": "2026-03-04T10:00:00Z", "device": "one"],
            ["field": "notes", "value": "wet", "by": "ines", "at": "2026-03-04T10:00:00Z", "device": "two"],
        ]
        try inspections.save(document: MutableDocument(id: "inspection-1", body: body))
    }

    private func merged(_ id: String, _ wording: any SyncWording = Wording()) throws -> MergedRecord {
        try MergedRecords(environment(wording)).all([RecordReference(.inspection, id: id)])[0]
    }

    @Test func whatBothSidesChangedIsUnitedOrGone() throws {
        let united = try merged("inspection-1")
        #expect(united.outcome == .united && united.title.hasPrefix("Old mill, ") && united.lines.isEmpty)
        let deleted = try merged("inspection-2")
        #expect(deleted.outcome == .deleted && deleted.title.isEmpty)
    }

    /// An app says it in its own way; without one the fields have their names.
    @Test func whatIsToBeDecidedIsWordedByTheApp() throws {
        try contest()
        let contested = try merged("inspection-1")
        #expect(contested.outcome == .contested && contested.subjects == "1 field" && contested.lines == ["dry or wet"])
        let plain = try merged("inspection-1", PlainWording())
        #expect(plain.subjects == "notes" && plain.lines.isEmpty)
    }

    @Test func onlyOwnReturnedInspectionsAreNamed() throws {
        let field = temporary.field
        try field.inspections.update("inspection-1", by: temporary.author) { inspection in
            inspection.inspector = "mara"
            inspection.status = .returned
            inspection.review = "The score?"
        }
        let mine = ReturnedInspections(to: "mara", in: field)
        #expect(try mine.all().map(\.review) == ["The score?"])
        #expect(try mine.among(["inspection-1", "inspection-2"]).map(\.reference.id) == ["inspection-1"])
        #expect(try ReturnedInspections(to: "ines", in: field).all().isEmpty)
        // Where nobody has signed in, they are for everybody who works here.
        #expect(try ReturnedInspections(to: nil, in: field).all().map(\.review) == ["The score?"])
    }

    /// Each comment on a filled form is a return.
    @Test func aReturnedFormIsNamedOnceForEachComment() throws {
        let field = temporary.field
        let (mara, ines) = (
            Author(name: "mara", moment: Timestamp(secondsSince1970: 1)),
            Author(name: "ines", moment: Timestamp(secondsSince1970: 2))
        )
        var response = Response(id: "response-1", form: "visit", version: "1", instanceID: "uuid:1", district: nil)
        response.state = .final
        try field.responses.add(response, by: mara)
        let mine = ReturnedInspections(to: "mara", in: field)
        #expect(try mine.amongResponses(["response-1"]).isEmpty)
        for (comments, reviews) in [("too deep", ["too deep"]), ("who?", ["too deep; who?"])] {
            try field.responseLifeCycle.sendBack("response-1", because: comments, by: ines)
            #expect(try mine.amongResponses(["response-1", "response-9"]).map(\.review) == reviews)
            #expect(try ReturnedInspections(to: "eve", in: field).amongResponses(["response-1"]).isEmpty)
            #expect(try field.work.noteReturns(ofResponses: ["response-1"]) == ["response-1"])
            #expect(try field.work.noteReturns(ofResponses: ["response-1"]).isEmpty)
        }
    }

    /// The inspection comes again with what its laptop has merged.
    @Test func aReturnIsReportedOnce() throws {
        let field = temporary.field
        func send(back moment: Int64, because reason: String) throws {
            let ines = Author(name: "ines", moment: Timestamp(secondsSince1970: moment))
            try field.inspections.update("inspection-1", by: temporary.author) { $0.status = .submitted }
            try field.lifeCycle.sendBack("inspection-1", because: reason, by: ines)
        }
        func reported() throws -> [String?] {
            var notes = SyncRecorder.Notes()
            notes.pulled = [RecordReference(.inspection, id: "inspection-1")]
            var tally = try SyncTally(SyncEnvironment(field: field, now: { TemporaryFolder.now }))
            return try tally.report(notes).records.returned.map(\.review)
        }
        try temporary.signIn(password: "secret")
        #expect(try reported().isEmpty)
        try send(back: 1_772_619_000, because: "the door?")
        #expect(try reported() == ["the door?"])
        try field.inspections.update("inspection-1", by: temporary.author) { $0.notes = "merged" }
        #expect(try reported().isEmpty)
        try send(back: 1_772_619_900, because: "the door?")
        #expect(try reported() == ["the door?"] && reported().isEmpty)
    }

    /// Of an inspection that others have deleted, and that was somebody else's.
    @Test func ownFindingsAreNamedThatAreHiddenWithAnInspection() throws {
        let field = temporary.field
        try temporary.signIn(password: "secret")
        let eve = Author(name: "eve", moment: TemporaryFolder.now)
        let (day, hill) = (CalendarDay(daysSince1970: 20_516), District("hill") ?? .unknown)
        let inspection = Inspection(id: "inspection-ee", site: "site-mill", date: day, district: hill)
        try field.inspections.add(inspection, by: eve)
        let finding = Finding(
            id: "finding-aa", inspection: "inspection-ee", site: "site-mill", date: day, text: "Mice", district: hill)
        try field.findings.add(finding, by: temporary.author)
        try field.deletions.keep(.inspection, ids: ["inspection-ee"])
        let inspections = field.collection(of: .inspection)
        try inspections.delete(document: try #require(try inspections.document(id: "inspection-ee")))
        var notes = SyncRecorder.Notes()
        notes.deleted = [RecordReference(.inspection, id: "inspection-ee")]
        var tally = try SyncTally(SyncEnvironment(field: field, now: { TemporaryFolder.now }))
        let lines = try tally.report(notes).records.deleted.map(\.line)
        #expect(lines.count == 2 && lines[0].utf8.starts(with: "finding aa, Old mill, ".utf8), "\(lines)")
        #expect(lines[0].contains(", Mice, with its inspection ee"), "\(lines)")
    }

    /// Who has begun it hears of it: somebody else would do it, too.
    @Test func workThatWasGivenToSomebodyElseIsNamed() throws {
        let field = temporary.field
        try temporary.signIn(password: "secret")
        let name = try #require(try environment().author().name)
        let district = try #require(try field.inspections.find("inspection-1")?.district)
        let assignment = Assignment(
            id: "assignment-1", inspector: name, site: "site-mill", due: try #require(CalendarDay("2026-03-09")),
            district: district)
        try field.assignments.add(assignment, by: temporary.author)
        func reported() throws -> [SyncReport.NamedRecord] {
            var notes = SyncRecorder.Notes()
            notes.pulled = [RecordReference(.assignment, id: "assignment-1")]
            var tally = try SyncTally(SyncEnvironment(field: field, now: { TemporaryFolder.now }))
            return try tally.report(notes).records.handedOver
        }
        try field.inspections.update("inspection-1", by: Author(name: name, moment: TemporaryFolder.now)) {
            $0.assignment = "assignment-1"
            $0.inspector = name
        }
        #expect(try reported().isEmpty)
        try field.assignments.update("assignment-1", by: temporary.author) { $0.inspector = "somebody" }
        let lines = try reported().map(\.line)
        #expect(lines.count == 1 && lines.first?.contains("somebody's by now; you have begun") == true, "\(lines)")
    }

    /// Of two drafts that two laptops have begun one is enough; what is handed in is nobody's question any more.
    @Test func whatTwoLaptopsHaveBegunIsNamed() throws {
        let field = temporary.field
        try temporary.signIn(password: "secret")
        let name = try #require(try environment().author().name)
        let author = Author(name: name, moment: TemporaryFolder.now)
        let own = try field.inspections.update("inspection-1", by: author) {
            ($0.assignment, $0.inspector) = ("assignment-1", name)
        }
        var other = own
        (other.id, other.status) = ("inspection-2", .submitted)
        try field.inspections.add(other, by: author)
        func reported(_ ids: [String]) throws -> [String] {
            var notes = SyncRecorder.Notes()
            notes.pulled = ids.map { RecordReference(.inspection, id: $0) }
            var tally = try SyncTally(SyncEnvironment(field: field, now: { TemporaryFolder.now }))
            return try tally.report(notes).records.repeated.map(\.line)
        }
        let line = "assignment-1: inspection-1 (\(own.status)), inspection-2 (submitted)"
        #expect(try reported(["inspection-2"]) == [line])
        #expect(try reported([]).isEmpty)
        try field.inspections.update("inspection-1", by: author) { $0.status = .submitted }
        #expect(try reported(["inspection-2"]).isEmpty)
    }

    /// A colleague's change of what one has written, and of nothing else.
    @Test func whatOthersChangeInOnesOwnRecordIsNamedOnce() throws {
        let field = temporary.field
        try temporary.signIn(password: "secret")
        let inspections = field.collection(of: .inspection)
        var body = try #require(try inspections.document(id: "inspection-1")).body
        (body["changedBy"], body["changedAt"], body["notes"]) = ("eve", "2026-03-04T12:00:00Z", "eve was here")
        let credentials = Credentials(user: "mara", password: "x")
        let connection = GatewayConnection(
            field: field, settings: try FolderSettings(of: field.folder), credentials: credentials)
        let configuration = try connection.configuration(continuous: false)
        let handlers = configuration.collections.filter { $0.remoteChangeHandler != nil }
        #expect(Set(handlers.map(\.collection.name)) == ["sites", "inspections", "findings"])
        let handler = handlers.first { $0.collection.name == "inspections" }?.remoteChangeHandler
        let revision = RevisionID(generation: 2, digest: "ab")
        try handler?([RemoteChange(documentID: "inspection-1", revision: revision, body: body.bytes)])
        try inspections.save(document: MutableDocument(id: "inspection-1", body: body))
        func reported() throws -> [String] {
            var tally = try SyncTally(SyncEnvironment(field: field, now: { TemporaryFolder.now }))
            return try tally.report(SyncRecorder.Notes()).records.changedByOthers.map(\.line)
        }
        let lines = try reported()
        try #require(lines.count == 1)
        #expect(lines[0].hasPrefix("eve changed your inspection inspection-1, Old mill, "), "\(lines)")
        #expect(lines[0].hasSuffix(": notes"), "\(lines)")
        #expect(try reported().isEmpty)
    }

    /// Put together, the two would be the colleague's.
    @Test func aNewIDIsNamedWithWhoHasUsedTheFormerOne() throws {
        let field = temporary.field
        try temporary.signIn(password: "secret")
        let id = "inspection-k3m9x2pq7d"
        let day = CalendarDay(daysSince1970: 20_517)
        try field.inspections.add(
            Inspection(id: id, site: "site-mill", date: day, district: District("hill") ?? .unknown),
            by: temporary.author)
        let inspections = field.collection(of: .inspection)
        var body = try #require(try inspections.document(id: id)).body
        (body["createdBy"], body["createdAt"], body["notes"]) = ("eve", "2026-03-04T12:00:00Z", "eve was here")
        let configuration = try SignInSource(environment()).read().configuration(continuous: false)
        let handler = configuration.collections.first { $0.collection.name == "inspections" }?.remoteChangeHandler
        let revision = RevisionID(generation: 1, digest: "ab")
        try handler?([RemoteChange(documentID: id, revision: revision, body: body.bytes)])
        try inspections.save(document: MutableDocument(id: id, body: body))
        #expect(field.inspections.count == 3)
        var tally = try SyncTally(environment())
        let lines = try tally.report(SyncRecorder.Notes()).records.changedByOthers.map(\.line)
        try #require(lines.count == 1)
        #expect(lines[0].hasPrefix("eve changed your inspection ") && lines[0].hasSuffix(": id"), "\(lines)")
        let renamed = try field.inspections.all().records.filter { $0.envelope.createdBy == "mara" && $0.date == day }
        #expect(renamed.map(\.envelope.changedAt) == [nil], "nothing else of it is changed")
    }

    /// What was there before the tally began is not counted.
    @Test func aTallyBeginsWithNothing() throws {
        _ = try temporary.store().purge(
            ["inspection-1"], in: RecordKind.inspection.collection, quarantine: true, reason: "revoked")
        try #require(try temporary.field.quarantine.all().count == 1)
        var tally = try SyncTally(environment())
        #expect(try tally.take().isEmpty)
        _ = try temporary.store().purge(
            ["site-mill"], in: RecordKind.site.collection, quarantine: true, reason: "revoked")
        #expect(try tally.take().waiting.quarantined == 1)
        #expect(try tally.take().waiting.quarantined == 0, "each is counted once")
        var report = SyncReport()
        report.note(try OutboxCount.waiting(in: temporary.field))
        #expect(report.waiting.inQuarantine == 2)
    }

    /// A gateway names deletions again to a laptop that begins from the start.
    @Test func onlyDeletionsOfWhatWasHereAreCounted() throws {
        let (field, inspections) = (temporary.field, temporary.field.collection(of: .inspection))
        let (store, collection) = (try temporary.store(), RecordKind.inspection.collection)
        var tally = try SyncTally(environment())
        try field.deletions.keep(.inspection, ids: ["inspection-1"])
        try inspections.delete(document: try #require(try inspections.document(id: "inspection-1")))
        let revision = try #require(try store.revision(of: "inspection-1", in: collection)).revision
        try store.markKnownToRemote(
            [AcknowledgedRevision(documentID: "inspection-1", revision: revision)], in: collection)
        var notes = SyncRecorder.Notes()
        notes.deleted = ["inspection-1", "inspection-9"].map { RecordReference(.inspection, id: $0) }
        notes.report.counts.pulledDeletions = [.inspection: 2]
        let report = try tally.report(notes)
        #expect(report.counts.pulledDeletions == [.inspection: 1] && report.records.deleted.count == 1)
    }

    /// A sync that was killed, or that took nothing away since nothing was left, leaves it to the next one.
    @Test func whatWasDeletedInADistrictThatIsGoneIsNotKept() throws {
        let field = temporary.field
        let (store, inspections) = (try temporary.store(), field.collection(of: .inspection))
        try field.deletions.keep(.inspection, ids: ["inspection-1"])
        try inspections.delete(document: try #require(try inspections.document(id: "inspection-1")))
        let revision = try #require(try store.revision(of: "inspection-1", in: RecordKind.inspection.collection))
        try store.markKnownToRemote(
            [AcknowledgedRevision(documentID: "inspection-1", revision: revision.revision)],
            in: RecordKind.inspection.collection)
        _ = try store.purge(["site-mill"], in: RecordKind.site.collection, quarantine: false, reason: "revoked")
        try #require(try field.deletions.elsewhere().count == 1)
        try environment().prepareExchange()
        #expect(try field.deletions.elsewhere().isEmpty)
    }

    /// Whether the clock is right is known when the gateway has answered.
    @Test func aClockThatIsAheadDeletesNothing() throws {
        let temporary = try TemporaryFolder(password: "secret")
        let (field, store) = (temporary.field, try temporary.store())
        let inspections = field.collection(of: .inspection)
        try field.findings.add(
            Finding(
                id: "finding-1", inspection: "inspection-1", site: "site-mill",
                date: CalendarDay(daysSince1970: 20_516),
                text: "Dust", district: .unknown), by: temporary.author)
        try inspections.delete(document: try #require(try inspections.document(id: "inspection-1")))
        let revision = try #require(try store.revision(of: "inspection-1", in: RecordKind.inspection.collection))
        try store.markKnownToRemote(
            [AcknowledgedRevision(documentID: "inspection-1", revision: revision.revision)],
            in: RecordKind.inspection.collection)
        let sent = Int64(try #require(try inspections.exchange(of: "inspection-1")).date)
        let late = Timestamp(secondsSince1970: sent + 40 * 86_400)
        try SyncEnvironment(field: field, now: { late }).prepareExchange()
        #expect(try field.findings.find("finding-1") != nil)
    }

    @Test func theUndecidedAreCountedByKind() throws {
        let references = Set([
            RecordReference(.inspection, id: "inspection-1"), RecordReference(.site, id: "site-mill"),
        ])
        #expect(try temporary.field.undecided(among: references, for: nil) == [:])
        try contest()
        #expect(try temporary.field.undecided(among: references, for: nil) == [.inspection: 1])
    }
}
