import DocumentStore
import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords
@testable import Replication

/// After a restore from a backup the gateway goes on from an older version than the one that is here.
@Suite struct LostVersionTests {
    let laptop: TemporaryField

    init() throws { laptop = try TemporaryField() }

    private func resolved(_ local: JSONObject, _ remote: JSONObject, kind: RecordKind = .inspection) throws -> Document?
    {
        let id = "\(kind.rawValue)-k3m9x2pq7d"
        try laptop.field.collection(of: kind).save(bodies: [(id, local.bytes)])
        let resolver = RecordConflictResolver(kind, in: laptop.field, user: "mara", device: "pad")
        let remote = MutableDocument(id: id, body: remote)
        let conflict = Conflict(
            documentID: id, localDocument: try laptop.field.collection(of: kind).document(id: id),
            remoteDocument: remote, baseDocument: nil)
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

    /// Its author's laptop does that, and other laptops would ask again what is decided by then.
    @Test func whatWasOnlyReceivedIsFollowed() throws {
        let local = Self.inspection(["notes": "a whole paragraph"], by: "ines", changedBy: "sven")
        let remote = Self.inspection(["notes": "old"], by: "ines", changedBy: "office")
        #expect(try resolved(local, remote) == nil)
    }

    /// The gateway takes an approval from nobody but who gave it.
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

    /// With the question whether it was deleted, and without: who sends the records of a lost laptop is not asked.
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
}
