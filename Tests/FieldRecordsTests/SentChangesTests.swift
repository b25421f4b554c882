import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// If a sync service runs, a change is sent a second later: a mistake can be taken back all the same.
@Suite struct SentChangesTests {
    private let temporary: TemporaryField
    private let later: Author
    private let day = CalendarDay(daysSince1970: 20_516)
    private var field: FieldDatabase { temporary.field }
    private var mara: Author { temporary.author }

    /// A site, and a draft with a finding, which the gateway knows.
    init() throws {
        temporary = try TemporaryField()
        later = Author(
            name: "mara", moment: Timestamp(secondsSince1970: temporary.author.moment.secondsSince1970 + 60))
        let (field, mara) = (temporary.field, temporary.author)
        try field.sites.add(Site(id: "site-1", name: "Mill", address: Address(), district: .unknown), by: mara)
        let inspection = Inspection(id: "i", site: "site-1", date: day, district: District("hill") ?? .unknown)
        try field.inspections.add(inspection, by: mara)
        let finding = Finding(
            id: "f", inspection: "i", site: "site-1", date: day, text: "Dust", district: District("hill") ?? .unknown)
        try field.findings.add(finding, by: mara)
        for (kind, id) in [(RecordKind.site, "site-1"), (.inspection, "i"), (.finding, "f")] {
            try field.acknowledge(kind, id)
        }
    }

    private func editFinding() throws {
        field.journal.begin("edit", by: mara)
        try field.findings.update("f", by: mara) { $0.notes = "slip" }
        for (kind, id) in [(RecordKind.finding, "f"), (.inspection, "i")] { try field.acknowledge(kind, id) }
    }

    /// As a sync brings it.
    private func receive(status: Inspection.Status) throws {
        var body = try #require(try field.collection(of: .inspection).document(id: "i")?.body)
        body["status"] = .string(status.rawValue)
        try field.collection(of: .inspection).save(bodies: [("i", body.bytes)])
        try field.acknowledge(.inspection, "i")
    }

    @Test func itIsEditedBack() throws {
        field.journal.begin("edit", by: mara)
        try field.sites.update("site-1", by: mara) { $0.phone = "1" }
        field.journal.begin("edit", by: mara)
        try field.sites.update("site-1", by: mara) { $0.phone = "2" }
        try field.acknowledge(.site, "site-1")
        let sent = try #require(try field.collection(of: .site).exchange(of: "site-1")).revision
        let change = try field.history.undo(by: later)
        #expect(change.records.map(\.outcome) == [.restoredByEdit] && change.records[0].changes == ["phone 2 → 1"])
        let site = try #require(try field.sites.find("site-1"))
        #expect(site.phone == "1" && site.envelope.changedBy == "mara" && site.envelope.changedAt == later.moment)
        let exchange = try #require(try field.collection(of: .site).exchange(of: "site-1"))
        #expect(!exchange.isSent && exchange.ancestry.history.parent == sent)
        // The undo of the earlier change goes on from the restored version, even after that was sent.
        try field.acknowledge(.site, "site-1")
        #expect(try field.history.undo(by: later).records.map(\.outcome) == [.restoredByEdit])
        #expect(try field.sites.find("site-1")?.phone == nil)
    }

    /// A user who has only brought a value back does not count as its author.
    @Test(arguments: ["mara", "ines"]) func whatIsBroughtBackIsOfThoseWhoTypedIt(name: String) throws {
        field.journal.begin("delete", by: mara)
        try field.sites.delete("site-1")
        try field.acknowledge(.site, "site-1")
        _ = try field.history.undo(by: Author(name: name, moment: later.moment))
        let body = try #require(try field.collection(of: .site).document(id: "site-1")?.body)
        #expect(body["createdBy"] == .string(name) && body["changedBy"] == .string(name))
        let stamp = FieldChanges(of: body).stamp(at: FieldPath("name"), in: body)
        #expect(stamp.by == "mara" && (name == "mara" || stamp.at == mara.moment))
    }

    @Test func whatSomebodyHasChangedSinceStays() throws {
        field.journal.begin("edit", by: mara)
        try field.sites.update("site-1", by: mara) { $0.phone = "1" }
        try field.acknowledge(.site, "site-1")
        var body = try #require(try field.collection(of: .site).document(id: "site-1")?.body)
        body["notes"] = "theirs"
        try field.collection(of: .site).save(bodies: [("site-1", body.bytes)])
        #expect(throws: UndoError(code: .changedSince(.site, "site-1"))) { try field.history.undo(by: later) }
        #expect(try field.sites.find("site-1")?.phone == "1")
    }

    /// An edit of a finding marks its inspection, too.
    @Test func aFindingIsEditedBack() throws {
        try editFinding()
        #expect(Set(try field.history.undo(by: later).records.map(\.outcome)) == [.restoredByEdit])
        #expect(try field.findings.find("f")?.notes == nil)
    }

    @Test(arguments: [
        (Inspection.Status.submitted, UndoError.Code.handedIn(RecordReference(.inspection, id: "i"), of: nil)),
        (.approved, .approved(RecordReference(.inspection, id: "i"))),
    ])
    func whatIsHandedInStays(status: Inspection.Status, code: UndoError.Code) throws {
        try editFinding()
        try receive(status: status)
        #expect(throws: UndoError(code: code)) { try field.history.undo(by: later) }
        #expect(try field.findings.find("f")?.notes == "slip")
    }

    /// A submitted inspection does not belong to its inspector any more; an approved one belongs to no user.
    @Test(arguments: [(Inspection.Status.submitted, true), (.approved, false)])
    func aSupervisorTakesBackWhatIsSubmitted(status: Inspection.Status, isTakenBack: Bool) throws {
        try field.assignments.add(
            Assignment(id: "a", inspector: "olaf", site: "site-1", due: day, district: .unknown), by: mara)
        try receive(status: status)
        field.journal.begin("conflicts take", by: mara)
        try field.inspections.update("i", by: mara) { $0.notes = "slip" }
        try field.acknowledge(.inspection, "i")
        if isTakenBack {
            _ = try field.history.undo(by: later)
        } else {
            #expect(throws: UndoError(code: .approved(RecordReference(.inspection, id: "i")))) {
                try field.history.undo(by: later)
            }
        }
        #expect(try field.inspections.find("i")?.notes == (isTakenBack ? nil : "slip"))
    }

    /// A gateway would refuse the record.
    @Test func aPhotoWhoseFileIsNotHereDoesNotComeBack() throws {
        var body = try #require(try field.collection(of: .inspection).document(id: "i")?.body)
        let blob: JSONValue = ["@type": "blob", "digest": "sha1-7+sK4tWR8tXZ4+mBbnqjBZPzbn8="]
        body["photos"] = [["name": "door.jpg", "blob": blob]]
        try field.collection(of: .inspection).save(bodies: [("i", body.bytes)])
        field.journal.begin("photo remove", by: mara)
        try field.inspections.update("i", by: mara) { $0.photos = [] }
        try field.acknowledge(.inspection, "i")
        #expect(throws: UndoError(code: .photoMissing("door.jpg"))) { try field.history.undo(by: later) }
    }

    @Test func aReturnIsFollowedByAnotherStep() throws {
        try receive(status: .submitted)
        field.journal.begin("return", by: mara)
        try field.lifeCycle.sendBack("i", because: "which door?", by: mara)
        try field.acknowledge(.inspection, "i")
        let error = #expect(throws: UndoError.self) { try field.history.undo(by: later) }
        #expect(error?.code == .step(RecordReference(.inspection, id: "i")))
        #expect(error?.description.contains("it changed the state of the inspection i") == true)
    }
}
