import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Replication
import Testing

@testable import FieldRecords

/// A colleague's changes of the user's own record are named and shown, and the user can set them back.
@Suite struct ChangesByOthersTests {
    private let temporary: TemporaryField
    private var field: FieldDatabase { temporary.field }
    private let reference = RecordReference(.inspection, id: "inspection-1")
    private let today = CalendarDay(daysSince1970: 20_516)
    private static let moment = "2026-03-04T12:00:00Z"

    /// The records are mara's, handed in, and known to the gateway.
    init() throws {
        temporary = try TemporaryField()
        let (field, author) = (temporary.field, temporary.author)
        try field.sites.add(Site(id: "site-1", name: "Mill", address: Address(), district: .unknown), by: author)
        var inspection = Inspection(
            id: reference.id, site: "site-1", date: today, district: District("hill") ?? .unknown)
        (inspection.notes, inspection.score) = ("my long notes", 77)
        try field.inspections.add(inspection, by: author)
        try field.photos.attach(
            file: temporary.file("px.jpg", [0xFF, 0xD8, 0xFF, 1]), toInspection: reference.id, caption: nil, by: author)
        _ = try field.lifeCycle.submit(reference.id, by: author)
        try field.acknowledge(.inspection, reference.id)
    }

    private func body() throws -> JSONObject {
        try #require(try field.collection(of: .inspection).document(id: reference.id)).body
    }

    /// Receives a record as another program writes it and a sync brings it.
    private func receive(
        by user: String = "eve", at moment: String = moment, _ change: (inout JSONObject) -> Void
    ) throws {
        var new = try body()
        new["changedBy"] = .string(user)
        new["changedAt"] = .string(moment)
        change(&new)
        try announce(new)
        try field.collection(of: .inspection).save(bodies: [(reference.id, new.bytes)])
        try field.acknowledge(.inspection, reference.id)
    }

    private func announce(_ new: JSONObject, as digest: String = UUID().uuidString) throws {
        try field.receivedChanges.keepBeforeChanges(
            of: .inspection, to: [revision(of: reference.id, as: new, digest: digest)], for: "mara")
    }

    private func revision(of id: String, as body: JSONObject, digest: String = "a") -> RemoteChange {
        RemoteChange(documentID: id, revision: RevisionID(generation: 9, digest: digest), body: body.bytes)
    }

    private func empty() throws {
        try receive { body in
            (body["notes"], body["score"]) = ("", 0)
            body["photos"] = []
            body[FieldChanges.member] = nil
        }
    }

    /// Edits a record as this person's programs do.
    private func edit(
        _ body: JSONObject, by user: String, at moment: String, _ change: (inout JSONObject) -> Void
    ) -> JSONObject {
        var new = body
        (new["changedBy"], new["changedAt"]) = (.string(user), .string(moment))
        change(&new)
        FieldChanges.afterEdit(from: body, to: new, of: .inspection).write(to: &new)
        return new
    }

    /// A person who goes on from a restored gateway's version did not change the version that the gateway has lost. If the
    /// history includes that version, the person did.
    @Test(arguments: [true, false]) func whatARestoredGatewayHasLostIsNobodysChange(isRestored: Bool) throws {
        let older = try body()
        let sent = edit(older, by: "mara", at: Self.moment) { $0["notes"] = "typed and sent" }
        try field.collection(of: .inspection).save(bodies: [(reference.id, sent.bytes)])
        try field.acknowledge(.inspection, reference.id)
        let known = try #require(try field.collection(of: .inspection).exchange(of: reference.id)?.newestSent)
        let new = edit(older, by: "eve", at: "2026-03-04T13:00:00Z") { $0["score"] = 50 }
        let ancestor = isRestored ? RevisionID(generation: 8, digest: "b") : known
        let change = RemoteChange(
            documentID: reference.id, revision: RevisionID(generation: 9, digest: "a"),
            history: RevisionHistory([ancestor]), body: new.bytes)
        try field.receivedChanges.keepBeforeChanges(of: .inspection, to: [change], for: "mara")
        let paths = try changes().fields.map(\.path)
        #expect(paths == (isRestored ? [FieldPath("score")] : [FieldPath("notes"), FieldPath("score")]))
        #expect(try changes().fields.allSatisfy { $0.stamp.by == "eve" })
    }

    private func changes() throws -> ChangesByOthers { try #require(try field.receivedChanges.changes(of: reference)) }

    private var own: String { "your inspection \(reference.shortID), Mill" }

    /// A history may have any content; the gateway only vouches for the user who signed in to send it.
    @Test(arguments: [
        ("eve", "mara", "submitted", true), ("eve", "mara", "draft", false), ("mara", "mara", "submitted", false),
        ("eve", "eve", "submitted", false),
    ])
    func whatOthersMadeAndHandedInForSomebodyIsNamed(
        creator: String, inspector: String, status: String, isNamed: Bool
    ) throws {
        let reference = RecordReference(.inspection, id: "inspection-9")
        var new = try body()
        new["createdBy"] = .string(creator)
        new["changedBy"] = .string(creator)
        new["inspector"] = .string(inspector)
        new["status"] = .string(status)
        try field.receivedChanges.keepBeforeChanges(
            of: .inspection, to: [revision(of: reference.id, as: new)], for: "mara")
        try field.collection(of: .inspection).save(bodies: [(reference.id, new.bytes)])
        let changes = try field.receivedChanges.changes(of: reference)
        #expect((changes != nil) == isNamed)
        guard let changes else { return }
        #expect(
            changes.line(title: "Mill") == "eve made and handed in your inspection \(reference.shortID), Mill")
        #expect(changes.summary == "eve: made and handed in")
        #expect(try field.history.log(of: .inspection, reference.id).contains { $0.author == "eve" })
    }

    /// The user who handed it in waits for the approval, and would otherwise do again what another supervisor had
    /// returned.
    @Test func anApprovalIsNamed() throws {
        func listed() throws -> Int {
            try field.work.today(of: "mara", on: today, conflicts: 0).changedByOthers.count
        }
        try receive(by: "ines") { $0["status"] = "approved" }
        #expect(try changes().line(title: "Mill") == "ines approved \(own)")
        #expect(try changes().summary == "ines: approved" && listed() == 1)
        let texts = try field.history.log(of: .inspection, reference.id).map(\.text)
        #expect(!texts.contains { $0.hasPrefix("changed: ") }, "\(texts)")
        try receive(by: "ida") { $0["status"] = "returned" }
        #expect(try listed() == 0)
        try receive(by: "ines") { $0["status"] = "approved" }
        #expect(try listed() == 1)
        try receive { $0["score"] = 3 }
        #expect(try changes().line(title: "Mill") == "ines approved \(own); eve changed: score")
        try field.receivedChanges.note([changes()], as: .read)
        #expect(try listed() == 0)
    }

    /// Such as the records of a new laptop's first sync, and those of a district that is given back.
    @Test func whatComesWithAWholeDistrictIsNoNews() throws {
        let districts = try ArrivingDistricts(into: field.store)
        func isNamed(_ id: String, in district: String, by creator: JSONValue? = "eve") throws -> Bool {
            var new = try body()
            (new["createdBy"], new["changedBy"], new["inspector"]) = (creator, creator, "mara")
            (new["status"], new["district"]) = ("submitted", .string(district))
            try field.receivedChanges.keepBeforeChanges(
                of: .inspection, to: [revision(of: id, as: new)], for: "mara", amid: districts)
            return try field.receivedChanges.changes(of: RecordReference(.inspection, id: id)) != nil
        }
        #expect(try isNamed("inspection-2", in: "hill"))
        #expect(try !isNamed("inspection-3", in: "mill") && !isNamed("inspection-4", in: "mill"))
        districts.settle()
        #expect(try isNamed("inspection-5", in: "mill"))
        // As if the district was taken away: this laptop has no record of it.
        try districts.look()
        #expect(try !isNamed("inspection-6", in: "mill") && isNamed("inspection-7", in: "hill"))
        // An import names no creator.
        #expect(try !isNamed("inspection-8", in: "hill", by: nil))
    }

    @Test func everythingIsNewToALaptopThatHasNeverSynced() throws {
        let laptop = try TemporaryField()
        let site = Site(id: "site-1", name: "Mill", address: Address(), district: District("hill") ?? .unknown)
        try laptop.field.sites.add(site, by: laptop.author)
        #expect(try !ArrivingDistricts(into: laptop.field.store).wasPresent("hill"))
        try laptop.field.acknowledge(.site, "site-1")
        #expect(try ArrivingDistricts(into: laptop.field.store).wasPresent("hill"))
        #expect(try !ArrivingDistricts(into: laptop.field.store).wasPresent("mill"))
    }

    @Test func whatWasEmptiedIsShownWithItsAuthor() throws {
        try empty()
        #expect(
            try changes().line(title: "Mill")
                == "eve changed your inspection \(reference.shortID), Mill: notes, score, 1 photo")
        let events = try field.history.log(of: .inspection, reference.id).filter { $0.author == "eve" }
        #expect(events.map(\.text) == ["changed: notes my long notes → nothing, photo px.jpg removed, score 77 → 0"])
        #expect(events.map(\.moment) == [Timestamp(Self.moment)])
    }

    @Test func itIsListedUntilSomebodyHasLooked() throws {
        try empty()
        func listed(_ day: CalendarDay) throws -> Int {
            try field.work.today(of: "mara", on: day, conflicts: 0).changedByOthers.count
        }
        #expect(try listed(today) == 1)
        // Dates are those of the laptop's clock.
        #expect(try listed(CalendarDay(daysSince1970: 400_000)) == 0)
        #expect(try field.work.today(of: "ines", on: today, conflicts: 0).changedByOthers.isEmpty)
        try field.receivedChanges.note([changes()], as: .named)
        #expect(try listed(today) == 1)
        try field.receivedChanges.note([changes()], as: .read)
        #expect(try listed(today) == 0)
        try receive { $0["visit"] = "complaint" }
        #expect(try listed(today) == 1)
    }

    @Test func everythingComesBack() throws {
        try empty()
        try field.database.performMaintenance(type: .compact)
        field.journal.begin("undo", by: temporary.author)
        let lines = try field.receivedChanges.setBack(changes(), by: temporary.author)
        #expect(lines.contains("notes  → my long notes") && lines.contains("score 0 → 77"), "\(lines)")
        let inspection = try #require(try field.inspections.find(reference.id))
        #expect(inspection.notes == "my long notes" && inspection.score == 77 && inspection.status == .submitted)
        #expect(inspection.photos.map(\.name) == ["px.jpg"] && inspection.envelope.changedBy == "mara")
        let saved = temporary.root.appendingPathComponent("saved.jpg")
        try field.photos.save(inspection.photos[0], of: .inspection, id: reference.id, to: saved)
        #expect(try changes().notice == .read && field.receivedChanges.setBack(changes(), by: temporary.author).isEmpty)
        // Setting back is an edit like any other, and the notes about the change outlive it.
        #expect(try field.history.undo(by: temporary.author).records.map(\.outcome) == [.restored])
        #expect(try body()["score"] == 0)
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author).contains("notes  → my long notes"))
    }

    /// Values that the person has typed since stay, and so do photos that others added.
    @Test func onlyWhatIsAsOthersLeftItComesBack() throws {
        let photo: JSONValue = [
            "name": "eve.jpg", "blob": ["@type": "blob", "digest": "sha1-7+sK4tWR8tXZ4+mBbnqjBZPzbn8="],
        ]
        var new = try body()
        (new["changedBy"], new["notes"], new["score"]) = ("eve", "", 0)
        new["photos"] = .array((new["photos"]?.arrayValue ?? []) + [photo])
        try announce(new)
        try receive { body in (body["notes"], body["score"]) = ("", 0) }
        try field.inspections.update(reference.id, by: temporary.author) { $0.notes = "again" }
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author) == ["score 0 → 77"])
        #expect(try body()["notes"] == "again")
        #expect(try changes().fields.map(\.path.member) == ["notes", "photos", "score"] && changes().notice == .read)
    }

    /// No later change replaces the first value, and a revision that comes twice counts once.
    @Test func theFirstValueIsKept() throws {
        try empty()
        for number in 1...3 { try receive(by: "bob") { $0["notes"] = .string("bob \(number)") } }
        let notes = try #require(try changes().fields.first { $0.path == FieldPath("notes") })
        #expect(notes.before == "my long notes" && notes.after == "bob 3" && notes.stamp.by == "bob")
        var twice = try body()
        (twice["changedBy"], twice["notes"]) = ("eve", "eve again")
        try announce(twice, as: "twice")
        let known = try changes()
        try announce(twice, as: "twice")
        #expect(try changes() == known && known.fields.contains { $0.before == "my long notes" })
        try field.collection(of: .inspection).save(bodies: [(reference.id, twice.bytes)])
        try field.acknowledge(.inspection, reference.id)
        try receive { body in (body["notes"], body["score"]) = ("my long notes", 77) }
        #expect(try changes().fields.allSatisfy(\.path.isItem))
    }

    @Test func whoHandsItInIsNamed() throws {
        try field.inspections.update(reference.id, by: temporary.author) { $0.status = .draft }
        try field.acknowledge(.inspection, reference.id)
        try receive(by: "olaf") { body in
            let before = body
            (body["status"], body["score"]) = ("submitted", 10)
            body["submittedAt"] = .string(Self.moment)
            FieldChanges.afterEdit(from: before, to: body, of: .inspection).write(to: &body)
        }
        #expect(
            try changes().line(title: "Mill")
                == "olaf handed in your inspection \(reference.shortID), Mill; olaf changed: score")
        #expect(try changes().summary == "olaf: handed in, score")
        // The state stays, since a supervisor decides on it.
        _ = try field.receivedChanges.setBack(changes(), by: temporary.author)
        #expect(try field.inspections.find(reference.id)?.status == .submitted)
        #expect(try field.inspections.find(reference.id)?.score == 77)
    }

    /// Steps of supervisors are reported as such, and the user knows the user's own changes.
    @Test func theseAreNoChangesByOthers() throws {
        try receive(by: "mara") { $0["score"] = 5 }
        try receive(by: "ines") { body in
            let before = body
            (body["status"], body["review"]) = ("returned", "which door?")
            FieldChanges.afterEdit(from: before, to: body, of: .inspection).write(to: &body)
        }
        #expect(try field.receivedChanges.changes(of: reference) == nil)
        var other = try body()
        (other["changedBy"], other["score"], other["createdBy"]) = ("eve", 1, "ines")
        try field.collection(of: .inspection).save(bodies: [(reference.id, other.bytes)])
        try field.acknowledge(.inspection, reference.id)
        other["score"] = 2
        try announce(other)
        #expect(try field.receivedChanges.changes(of: reference) == nil, "it is somebody else's")
    }

    /// If a value was changed here, too, a merge keeps both values.
    @Test func whatWasChangedHereIsMerged() throws {
        let known = try body()
        try field.inspections.update(reference.id, by: temporary.author) { $0.notes = "typed since" }
        var new = known
        (new["changedBy"], new["notes"], new["score"]) = ("eve", "", 0)
        try announce(new)
        #expect(try changes().fields.map(\.path.name) == ["score"])
    }

    @Test func nothingOfWhatIsApprovedIsSetBack() throws {
        try empty()
        _ = try field.lifeCycle.approve(reference.id, by: Author(name: "ines", moment: temporary.author.moment))
        #expect(
            throws: RecordActionError(.closed(status: "approved"), kind: .inspection, id: reference.id)
        ) { try field.receivedChanges.setBack(changes(), by: temporary.author) }
    }

    /// A name beside a field is only a note, not a proof.
    @Test func whoNamesTheOwnerBesideTheFieldsHidesNothing() throws {
        try receive { body in
            (body["notes"], body["score"]) = ("", 0)
            body["photos"] = []
            body[FieldChanges.member] = [
                ["by": "mara", "at": .string(Self.moment), "device": "mara-tablet", "fields": ["notes", "score"]]
            ]
        }
        #expect(try changes().line(title: "Mill") == "eve changed \(own): 1 photo; noted as yours: notes, score")
        #expect(try changes().summary == "eve: 1 photo; noted as yours: notes, score")
        let texts = try field.history.log(of: .inspection, reference.id).filter { $0.author == "eve" }.map(\.text)
        let noted = "notes my long notes → nothing (noted as yours on mara-tablet)"
        #expect(texts.contains { $0.contains(noted) }, "\(texts)")
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author) == ["photo px.jpg added"])
        let lines = try field.receivedChanges.setBack(changes(), notedAsOwn: true, by: temporary.author)
        #expect(lines.contains("notes  → my long notes") && lines.contains("score 0 → 77"), "\(lines)")
    }

    /// Her other laptop has changed it, and a supervisor has only returned it.
    @Test func workOfTheOwnersOtherLaptopIsNotTakenForSomebodyElses() throws {
        try receive(by: "ines") { body in
            (body["notes"], body["score"]) = ("all good", 90)
            body[FieldChanges.member] = [
                ["by": "mara", "at": .string(Self.moment), "device": "mara-tablet", "fields": ["notes", "score"]]
            ]
        }
        #expect(
            try changes().line(title: "Mill") == "ines sent changes of \(own), that are noted as yours: notes, score")
        #expect(try field.receivedChanges.lossesOfSettingBack(changes()) == nil)
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author).isEmpty)
        #expect(try body()["score"] == 90)
    }

    /// The creator of a record whose owner is its inspector removes the name of the person who changed it last.
    @Test(arguments: [("eve", true), ("mara", false)])
    func whoNamesNobodyIsTheCreator(creator: String, isNamed: Bool) throws {
        var old = try body()
        (old["createdBy"], old["inspector"]) = (.string(creator), "mara")
        old[FieldChanges.member] = [
            ["by": "mara", "at": .string(Self.moment), "device": "mara-tablet", "fields": ["notes", "score"]]
        ]
        var new = old
        for member in ["changedBy", "changedAt", "device"] { new[member] = nil }
        (new["notes"], new["score"]) = ("short", 3)
        let changes = ChangesByOthers(reference, owner: "mara", from: old, to: new, present: old)
        #expect((changes != nil) == isNamed)
        guard let changes else { return }
        #expect(changes.fields.map(\.path.name) == ["notes", "score"])
        #expect(changes.fields.allSatisfy { $0.stamp.by.isExactly(creator) })
    }

    /// Another laptop of the owner has edited it after that.
    @Test func whatComesTogetherWithAnEditOfTheOwnersIsKept() throws {
        try receive(by: "mara") { body in
            (body["notes"], body["score"]) = ("", 5)
            body[FieldChanges.member] = [
                ["by": "eve", "at": .string(Self.moment), "device": "eve-tablet", "fields": ["notes"]],
                ["by": "mara", "at": .string(Self.moment), "device": "mara-tablet", "fields": ["score"]],
            ]
        }
        #expect(try changes().fields.map(\.path.name) == ["notes"])
        #expect(try changes().fields.first?.stamp.by == "eve")
    }

    /// A photo that was removed and attached again has another file name, with a time that no person would read in that
    /// form.
    @Test func aPhotoThatIsAttachedAgainIsNamedForPeople() throws {
        try receive { body in
            guard var photo = body["photos"]?.arrayValue?.first?.objectValue else { return }
            photo["name"] = "other.jpg"
            (photo["attachedAt"], photo["takenAt"]) = (.string(Self.moment), .string(Self.moment))
            body["photos"] = [.object(photo)]
        }
        let texts = try field.history.log(of: .inspection, reference.id).filter { $0.author == "eve" }.map(\.text)
        #expect(texts == ["changed: photo's name px.jpg → other.jpg, photo's time changed"])
        _ = try field.receivedChanges.setBack(changes(), by: temporary.author)
        #expect(try field.inspections.find(reference.id)?.photos.map(\.name) == ["px.jpg"])
    }

    @Test func valuesThatSomebodyDecidesAboutAreKept() throws {
        let page: JSONValue = ["field": "notes", "value": "a whole page", "by": "mara", "at": .string(Self.moment)]
        var contested = try body()
        contested["conflicts"] = [page]
        try field.collection(of: .inspection).save(bodies: [(reference.id, contested.bytes)])
        try field.acknowledge(.inspection, reference.id)
        try receive { $0["conflicts"] = nil }
        #expect(try changes().line(title: "Mill") == "eve changed \(own): 1 value of yours decided about")
        let texts = try field.history.log(of: .inspection, reference.id).filter { $0.author == "eve" }.map(\.text)
        #expect(texts == ["changed: decided; values that are gone: notes a whole page"])
        field.journal.begin("undo", by: temporary.author)
        _ = try field.receivedChanges.setBack(changes(), by: temporary.author)
        #expect(try body()["conflicts"]?.arrayValue?.map { $0["value"] } == ["a whole page"])
    }

    /// A notice names the new changes, without those that it named before and without values that the person has set
    /// since.
    @Test func onlyWhatIsNewIsNamed() throws {
        try receive { $0["score"] = 60 }
        #expect(try changes().line(title: "Mill") == "eve changed \(own): score")
        try field.receivedChanges.note([changes()], as: .named)
        try receive { $0["visit"] = "complaint" }
        #expect(try changes().line(title: "Mill") == "eve changed \(own): visit")
        #expect(try changes().summary == "eve: score, visit", "nobody has looked at either")
        try field.receivedChanges.note([changes()], as: .read)
        var mine = try body()
        (mine["changedBy"], mine["score"]) = ("mara", 70)
        try field.collection(of: .inspection).save(bodies: [(reference.id, mine.bytes)])
        try receive { $0["notes"] = "by eve" }
        #expect(try changes().summary == "eve: notes" && changes().line(title: "Mill") == "eve changed \(own): notes")
        #expect(try changes().fields.map(\.path.name) == ["notes", "score", "visit"])
    }

    private func contest(_ entries: [JSONValue]) throws {
        var contested = try body()
        contested["conflicts"] = .array(entries)
        try field.collection(of: .inspection).save(bodies: [(reference.id, contested.bytes)])
        try field.acknowledge(.inspection, reference.id)
    }

    private static func asked(_ field: String, _ value: JSONValue, by name: String) -> JSONValue {
        ["field": .string(field), "value": value, "by": .string(name), "at": .string(moment)]
    }

    /// Decisions of supervisors and values of others do not count, nor does a value that won the decision.
    @Test func onlyOnesOwnValuesThatAreGoneAreNamed() throws {
        try contest([
            Self.asked("status", "approved", by: "mara"), Self.asked("review", "again", by: "mara"),
            Self.asked("score", 60, by: "mara"), Self.asked("score", 77, by: "mara"),
            Self.asked("score", 80, by: "eve"),
        ])
        try receive { $0["conflicts"] = nil }
        #expect(try changes().line(title: "Mill") == "eve changed \(own): 1 value of yours decided about")
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author) == ["asked again: score 60"])
        #expect(try body()["conflicts"]?.arrayValue?.map { $0["value"] } == [60])
    }

    /// The person has set the value back and decided for it, or has given another value: neither is asked about again.
    @Test(arguments: [true, false]) func whatThePersonHasDecidedStaysDecided(decides: Bool) throws {
        try contest([Self.asked("score", 60, by: "mara")])
        try receive { $0["conflicts"] = nil }
        _ = try field.receivedChanges.setBack(changes(), by: temporary.author)
        if decides {
            let conflict = try #require(try field.conflicts.conflict(of: .inspection, reference.id))
            try field.conflicts.decide(conflict, choices: [FieldPath("score"): 77], by: temporary.author)
        } else {
            try field.inspections.update(reference.id, by: temporary.author) { $0.score = 78 }
        }
        try field.acknowledge(.inspection, reference.id)
        try receive { $0["notes"] = "by eve" }
        #expect(try changes().line(title: "Mill") == "eve changed \(own): notes")
        // A person who gives the field another value is still asked about the one that was set back.
        let asked = try body()["conflicts"]
        #expect((asked == nil) == decides)
        let lines = try field.receivedChanges.setBack(changes(), by: temporary.author)
        #expect(lines == ["notes by eve → my long notes"])
        #expect(try body()["conflicts"] == asked)
    }

    /// A photo that a colleague had removed, and that the person removes after bringing it back, stays away.
    @Test func whatThePersonHasRemovedStaysAway() throws {
        try receive { $0["photos"] = [] }
        _ = try field.receivedChanges.setBack(changes(), by: temporary.author)
        field.journal.begin("photo remove", by: temporary.author)
        try field.inspections.update(reference.id, by: temporary.author) { $0.photos = [] }
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author).isEmpty)
        _ = try field.history.undo(by: temporary.author)
        try field.inspections.update(reference.id, by: temporary.author) { $0.photos = [] }
        try field.acknowledge(.inspection, reference.id)
        try receive { $0["score"] = 51 }
        #expect(try changes().line(title: "Mill") == "eve changed \(own): score")
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author) == ["score 51 → 77"])
        #expect(try field.inspections.find(reference.id)?.photos.isEmpty == true)
    }

    /// An accidental change of a value that others left, taken back again, is no decision.
    @Test func aDecisionThatIsTakenBackIsNone() throws {
        try receive { $0["notes"] = "" }
        field.journal.begin("edit", by: temporary.author)
        try field.inspections.update(reference.id, by: temporary.author) { $0.notes = "slip" }
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author).isEmpty)
        _ = try field.history.undo(by: temporary.author)
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author) == ["notes  → my long notes"])
    }

    /// Values that others have typed would be lost for good: so the shell asks first.
    @Test func whatOthersTypedIsALoss() throws {
        let report = String(repeating: "eve's report ", count: 100)
        try receive { $0["notes"] = .string(report) }
        let losses = try #require(try field.receivedChanges.lossesOfSettingBack(changes()))
        #expect(losses.texts.map(\.text) == [report])
        #expect(try changes().fields.map { $0.after?.stringValue } == [nil], "the record has it")
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author).count == 1)
        #expect(try field.receivedChanges.lossesOfSettingBack(changes()) == nil)
    }

    /// Thousands of answers that others add leave no notes when they are removed again.
    @Test func answersOfOthersLeaveNoNotes() throws {
        try receive { body in
            let answers = (0..<9_000).map { JSONObject.Member(key: "q\($0)", value: "x") }
            body["answers"] = .object(JSONObject(members: answers))
            body["notes"] = ""
        }
        #expect(try field.history.log(of: .inspection, reference.id).allSatisfy { $0.text.utf8.count < 2_000 })
        _ = try field.receivedChanges.setBack(changes(), by: temporary.author)
        #expect(try body()["notes"] == "my long notes")
        let notes = try body()[FieldChanges.member]?.arrayValue?.flatMap { $0["fields"]?.arrayValue ?? [] } ?? []
        #expect(notes.count < 10, "\(notes.count)")
    }

    /// The way out of a refusal that a colleague has caused.
    @Test func whoseRecordIsFilledUpHearsHowToTakeThatOut() throws {
        func ways() throws -> [Advice] {
            try field.outbox.message(
                ofRefusal: 10_403, "the record has more than 20000 values", of: .inspection, id: reference.id
            ).marks.map(\.advice)
        }
        #expect(try ways() == [])
        try receive { $0["answers"] = ["q1": "x", "q2": "y"] }
        #expect(try ways() == [.takeOthersOut])
        _ = try field.receivedChanges.setBack(changes(), by: temporary.author)
        #expect(try ways() == [])
    }

    @Test func sitesAreKeptToo() throws {
        var site = Site(id: "site-2", name: "Otter", address: Address(), district: .unknown)
        site.notes = "ring twice"
        try field.sites.add(site, by: temporary.author)
        try field.acknowledge(.site, "site-2")
        var new = try #require(try field.collection(of: .site).document(id: "site-2")).body
        (new["changedBy"], new["notes"]) = ("eve", "")
        try field.receivedChanges.keepBeforeChanges(of: .site, to: [revision(of: "site-2", as: new)], for: "mara")
        try field.collection(of: .site).save(bodies: [("site-2", new.bytes)])
        let changes = try #require(try field.receivedChanges.changes(of: RecordReference(.site, id: "site-2")))
        #expect(changes.fields.map(\.path.name) == ["notes"])
        #expect(try field.receivedChanges.setBack(changes, by: temporary.author) == ["notes  → ring twice"])
    }

    @Test func whatIsTakenFromTheLaptopLeavesTheseToo() throws {
        try empty()
        try field.collection(of: .inspection).purge(id: reference.id)
        try field.history.forgetRemovedRecords()
        #expect(try field.store.changePages.all().isEmpty)
    }

    @Test func whatNobodyBringsBackLeavesTheseToo() throws {
        try receive { ($0["notes"], $0["status"]) = ("", "draft") }
        field.journal.begin("delete", by: temporary.author)
        _ = try field.removals.deleteInspection(reference.id)
        try field.acknowledge(.inspection, reference.id)
        for number in 1...FieldRecordsLimits.journal {
            field.journal.begin("edit", by: temporary.author)
            try field.sites.update("site-1", by: temporary.author) { $0.phone = String(number) }
        }
        #expect(try !field.deletions.all().contains { $0.reference == reference })
        try field.history.forgetRemovedRecords()
        #expect(try field.store.changePages.all().isEmpty)
    }

    /// A deletion can be taken back at any time, and so can the emptying by others before it.
    @Test func whatIsDeletedKeepsThem() throws {
        try receive { body in
            (body["notes"], body["status"]) = ("", "draft")
            body["photos"] = []
        }
        field.journal.begin("delete", by: temporary.author)
        _ = try field.removals.deleteInspection(reference.id)
        try field.acknowledge(.inspection, reference.id)
        try field.history.forgetRemovedRecords()
        #expect(try field.receivedChanges.all(of: "mara").isEmpty, "it is not there")
        let deleted = try #require(try field.deletions.all().first { $0.reference == reference })
        _ = try field.deletions.bringBack(deleted, by: temporary.author)
        #expect(try field.receivedChanges.all(of: "mara").map(\.record) == [reference])
        #expect(try field.receivedChanges.setBack(changes(), by: temporary.author).contains("notes  → my long notes"))
        #expect(try field.inspections.find(reference.id)?.photos.map(\.name) == ["px.jpg"])
    }
}
