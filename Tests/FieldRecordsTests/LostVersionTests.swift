import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords
@testable import Replication

/// After a restore from a backup, the gateway goes on from an older version than this laptop's.
@Suite struct LostVersionTests {
    let laptop: TemporaryField

    init() throws { laptop = try TemporaryField() }

    private func resolved(
        _ local: JSONObject, _ remote: JSONObject, kind: RecordKind = .inspection, user: String = "mara",
        doubtfulBase: JSONObject? = nil
    ) throws -> Document? {
        let id = "\(kind.rawValue)-k3m9x2pq7d"
        try laptop.field.collection(of: kind).save(bodies: [(id, local.bytes)])
        let resolver = RecordConflictResolver(kind, in: laptop.field.store, user: user, device: "pad")
        let remote = MutableDocument(id: id, body: remote)
        let conflict = Conflict(
            documentID: id, localDocument: try laptop.field.collection(of: kind).document(id: id),
            remoteDocument: remote, baseDocument: doubtfulBase.map { MutableDocument(id: id, body: $0) },
            isBaseDoubtful: doubtfulBase != nil)
        let document = try resolver.resolve(conflict: conflict)
        return document === remote ? nil : document
    }

    private static func inspection(_ members: JSONObject, by creator: String, changedBy: String) -> JSONObject {
        var object: JSONObject = [
            "type": "inspection", "status": "draft", "site": "site-mill", "inspector": .string(creator),
            "createdBy": .string(creator), "changedBy": .string(changedBy), "changedAt": "2026-03-04T10:00:00Z",
        ]
        for member in members.members { object[member.key] = member.value }
        return object
    }

    @Test(arguments: ["mara", "ines"]) func whatTheUserMadeOrChangedIsKeptBesideIt(creator: String) throws {
        let changer = creator == "mara" ? "ines" : "mara"
        let local = Self.inspection(
            ["notes": "a whole paragraph", "status": "submitted"], by: creator, changedBy: changer)
        let remote = Self.inspection(["notes": "old", "visit": "complaint"], by: creator, changedBy: "office")
        let merged = try #require(try resolved(local, remote)).body
        #expect(
            merged["status"] == "submitted" && merged["visit"] == "complaint" && merged["createdBy"] == .string(creator)
        )
        #expect(merged["changedBy"] == "mara" || merged["changedBy"] == "office", "the gateway takes no other name")
        let open = try #require(RecordConflict(.inspection, id: "i", object: merged))
        let notes = try #require(open.fields.first { $0.path == FieldPath("notes") })
        #expect(Set(notes.others.map(\.value) + [merged["notes"]]) == ["a whole paragraph", "old"])
    }

    /// After very many edits the history does not show whether they began with the version that was sent.
    @Test(arguments: [true, false]) func whatManyEditsMayHaveBegunWithIsKeptBesideThem(isLost: Bool) throws {
        let own: JSONValue = [
            "by": "mara", "at": "2026-03-04T10:00:00Z", "device": "pad", "fields": ["notes"],
        ]
        let others: JSONValue = ["by": "office", "at": "2026-03-05T10:00:00Z", "fields": ["score"]]
        var sent = Self.inspection(["notes": "a whole paragraph"], by: "ines", changedBy: "mara")
        sent["fieldChanges"] = [own]
        var local = sent
        local["visit"] = "complaint"
        let notes: JSONValue = isLost ? "old" : "a whole paragraph"
        var remote = Self.inspection(["notes": notes, "score": 5], by: "ines", changedBy: "office")
        remote["fieldChanges"] = isLost ? [others] : [own, others]
        let merged = try #require(try resolved(local, remote, doubtfulBase: sent)).body
        #expect(merged["visit"] == "complaint" && merged["score"] == 5)
        let open = RecordConflict(.inspection, id: "i", object: merged)?.fields ?? []
        let values = open.filter { $0.path == FieldPath("notes") }.flatMap(\.others).map(\.value) + [merged["notes"]]
        let expected: Set<JSONValue?> = isLost ? ["a whole paragraph", "old"] : ["a whole paragraph"]
        #expect(Set(values) == expected)
        #expect(isLost || open.isEmpty, "a colleague's edits ask nothing")
    }

    /// The author's laptop brings it back; other laptops would ask about a question that is decided by then.
    @Test func whatWasOnlyReceivedIsFollowed() throws {
        let local = Self.inspection(["notes": "a whole paragraph"], by: "ines", changedBy: "sven")
        let remote = Self.inspection(["notes": "old"], by: "ines", changedBy: "office")
        #expect(try resolved(local, remote) == nil)
    }

    /// The gateway accepts an approval only from the supervisor who gave it.
    @Test func aLostApprovalIsListed() throws {
        var local = Self.inspection(["status": "approved"], by: "mara", changedBy: "sven")
        local["fieldChanges"] = [["by": "sven", "at": "2026-03-04T10:00:00Z", "fields": ["status"]]]
        let remote = Self.inspection(["status": "submitted", "notes": "old"], by: "mara", changedBy: "mara")
        let merged = try #require(try resolved(local, remote)).body
        #expect(merged["status"] == "submitted" && merged["changedBy"] == "mara")
        let status = try #require(RecordConflict(.inspection, id: "i", object: merged)).fields
            .first { $0.path == RecordConflict.status }
        #expect(status?.others.map(\.value) == ["approved"] && status?.others.map(\.stamp.by) == ["sven"])
    }

    /// With and without the question whether it was deleted: a user who sends the records of a lost laptop is not
    /// asked.
    @Test(arguments: [false, true], [false, true])
    func whatWasTakenOverIsLeftToItsCreator(isEdited: Bool, isAsked: Bool) throws {
        let remote: JSONObject = ["type": "site", "name": "Mill", "createdBy": "ines", "changedBy": "ines"]
        var local: JSONObject = ["type": "site", "name": "Mill", "createdBy": "mara", "changedBy": "mara"]
        if isAsked { local["conflicts"] = [["deleted": true]] }
        if isEdited { local["phone"] = "1" }
        let merged = try resolved(local, remote, kind: .site)
        guard isEdited else { return #expect(merged == nil) }
        #expect(merged?.body["createdBy"] == "ines" && merged?.body["phone"] == "1" && merged?.body["conflicts"] == nil)
    }

    /// The record as `sven` approved or returned it, and as `mara` brings it back while the gateway has lost that
    /// review.
    private static func reviewed(_ status: String) -> (reviewed: JSONObject, back: JSONObject) {
        var reviewed = inspection(["status": .string(status)], by: "mara", changedBy: "sven")
        reviewed["fieldChanges"] = [["by": "sven", "at": "2026-03-04T10:00:00Z", "fields": ["status"]]]
        if status == "returned" { reviewed["review"] = "score it again" }
        var back = reviewed
        Supervision.takeBack(from: &back, kind: .inspection)
        back["changedBy"] = "mara"
        return (reviewed, back)
    }

    @Test(arguments: ["approved", "returned"]) func aReviewThatIsThereAgainIsTakenOver(status: String) throws {
        let (reviewed, back) = Self.reviewed(status)
        #expect(try resolved(back, reviewed) == nil)
        #expect(try resolved(reviewed, back) == nil, "who only received it leaves it to sven's laptop")
    }

    /// The laptop of the reviewer answers the question itself, since nothing else has been changed.
    @Test(arguments: ["approved", "returned"]) func whoGaveALostReviewBringsItBack(status: String) throws {
        let (reviewed, back) = Self.reviewed(status)
        let brought = try #require(try resolved(reviewed, back, user: "sven")).body
        #expect(ValueOrder.isSame(brought, and: reviewed))
    }

    /// Fields that were changed since are asked about.
    @Test func whatWasBroughtBackAndChangedIsPutTogether() throws {
        var (reviewed, back) = Self.reviewed("approved")
        reviewed["notes"] = "clean"
        back["notes"] = "a whole paragraph"
        let merged = try #require(try resolved(reviewed, back, user: "sven")).body
        let open = try #require(RecordConflict(.inspection, id: "i", object: merged))
        #expect(merged["status"] == "approved" && open.fields.contains { $0.path == FieldPath("notes") })
    }

    /// The gateway may have the lost version again, or an older one: the sent version must not count as an edit of
    /// either.
    @Test func whatIsBroughtBackIsNoEditOfWhatIsLost() throws {
        let field = laptop.field
        let (reviewed, _) = Self.reviewed("approved")
        let id = "inspection-k3m9x2pq7d"
        let collection = field.collection(of: .inspection)
        for body in [Self.inspection(["status": "submitted"], by: "mara", changedBy: "mara"), reviewed] {
            try collection.save(bodies: [(id, body.bytes)])
            try field.acknowledge(.inspection, id)
        }
        let before = try #require(try collection.exchange(of: id)).ancestry
        try field.refuse(
            .inspection, id, reason: "the record says that sven changed it last, and you are somebody else")
        try field.outbox.settleUnasked(by: laptop.author)
        let after = try #require(try collection.exchange(of: id))
        #expect(after.ancestry.history == before.history && after.revision != before.revision)
        #expect(!after.isSent && after.newestSent == before.history.parent && after.newestSent != nil)
        #expect(try collection.document(id: id)?.body["status"] == "submitted")
        #expect(try field.outbox.all().isEmpty)
    }

    /// A version that is an edit of the reviewed one, as laptops have sent it before.
    @Test(arguments: ["approved", "returned"]) func anEditThatOnlyLacksAReviewGivesWay(status: String) throws {
        let field = laptop.field
        let (reviewed, back) = Self.reviewed(status)
        let id = "inspection-k3m9x2pq7d"
        let collection = field.collection(of: .inspection)
        try collection.save(bodies: [(id, reviewed.bytes)])
        try field.acknowledge(.inspection, id)
        try collection.save(bodies: [(id, back.bytes)])
        let isApproved = status == "approved"
        try field.refuse(
            .inspection, id,
            reason: "only a supervisor \(isApproved ? "takes an approval back" : "says why it is returned")")
        let refused = try #require(try field.outbox.all().first)
        #expect(refused.reason.text.contains("The gateway has it again, \(status)."), "\(refused.reason)")
        try field.outbox.settleUnasked(by: laptop.author)
        #expect(try field.outbox.all().isEmpty)
        let present = try #require(try collection.document(id: id)).body
        #expect(ValueOrder.isSame(present, and: reviewed))
    }
}
