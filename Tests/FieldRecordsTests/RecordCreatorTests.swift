import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// The creator of a record after two laptops have changed it: only the writer, or the user whom the gateway has as the
/// creator.
@Suite struct RecordCreatorTests {
    private static func site(_ name: String, by creator: String?, changedBy: String? = nil) -> JSONObject {
        var site: JSONObject = ["type": "site", "name": .string(name)]
        site["createdBy"] = creator.map { .string($0) }
        site["changedBy"] = changedBy.map { .string($0) }
        return site
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let base: JSONObject?
        let local: JSONObject?
        let remote: JSONObject?
        let creator: JSONValue?
    }

    static let rows = [
        Row(
            testDescription: "an edit beats a deletion", base: site("Mill", by: "bob"),
            local: site("New mill", by: "bob", changedBy: "ann"), remote: nil, creator: "ann"),
        Row(
            testDescription: "a deletion here is beaten by an edit there", base: site("Mill", by: "bob"), local: nil,
            remote: site("New mill", by: "bob", changedBy: "carl"), creator: "bob"),
        Row(
            testDescription: "an edit of nobody", base: site("Mill", by: "bob"), local: site("New mill", by: "bob"),
            remote: nil, creator: "bob"),
        Row(
            testDescription: "two who brought it back", base: nil,
            local: site("New mill", by: "zoe", changedBy: "zoe"),
            remote: site("Old mill", by: "ann", changedBy: "ann"), creator: "ann"),
        Row(
            testDescription: "there nobody created it", base: nil,
            local: site("New mill", by: "zoe", changedBy: "zoe"), remote: site("Old mill", by: nil), creator: nil),
        Row(
            testDescription: "two edits", base: site("Mill", by: "bob"),
            local: site("Mill, old", by: "bob", changedBy: "ann"),
            remote: site("Mill, new", by: "bob", changedBy: "carl"), creator: "bob"),
    ]

    private func merged(
        _ kind: RecordKind, base: JSONObject?, local: JSONObject?, remote: JSONObject?,
        writer: RecordConflictResolver.Writer? = nil, overwritten: OverwrittenValues = OverwrittenValues()
    ) -> JSONObject? {
        RecordConflictResolver.merged(
            kind, base: base, local: local, remote: remote, deletion: nil, writer: writer, overwritten: overwritten)
    }

    @Test(arguments: rows) func theGatewayTakesTheCreator(row: Row) throws {
        let merged = self.merged(.site, base: row.base, local: row.local, remote: row.remote)
        #expect(try #require(merged)["createdBy"] == row.creator)
    }

    /// Two people have made a record under one id.
    @Test func theMomentOfItsCreationIsTheCreators() throws {
        var (here, there) = (Self.site("New mill", by: "zoe"), Self.site("Old mill", by: "ann"))
        here["createdAt"] = "2026-03-04T09:00:00Z"
        there["createdAt"] = "2026-03-04T10:00:00Z"
        let merged = try #require(self.merged(.site, base: nil, local: here, remote: there))
        #expect(merged["createdBy"] == "ann" && merged["createdAt"] == "2026-03-04T10:00:00Z")
    }

    /// Values of the person who is not the creator any more are still that person's.
    @Test func whatBothHaveTypedIsTheirsWhoTypedIt() throws {
        func made(_ notes: String, by name: String, at moment: String, on device: String) -> JSONObject {
            [
                "type": "inspection", "status": "draft", "notes": .string(notes), "createdBy": .string(name),
                "createdAt": .string(moment), "device": .string(device),
            ]
        }
        let merged = try #require(
            self.merged(
                .inspection, base: nil, local: made("mine", by: "mara", at: "2026-03-04T08:00:00Z", on: "pad"),
                remote: made("taken", by: "kim", at: "2026-03-04T09:00:00Z", on: "desk"),
                writer: RecordConflictResolver.Writer(user: "mara", device: "pad")))
        let conflict = try #require(RecordConflict(.inspection, id: "i", object: merged))
        let notes = try #require(conflict.fields.first { $0.path == FieldPath("notes") })
        let values = [notes.current] + notes.others
        #expect(Set(values.map(\.value)) == ["mine", "taken"])
        for value in values {
            let isMine = value.value == "mine"
            #expect(value.stamp.by == (isMine ? "mara" : "kim") && value.stamp.device == (isMine ? "pad" : "desk"))
            #expect(value.stamp.at == Timestamp(isMine ? "2026-03-04T08:00:00Z" : "2026-03-04T09:00:00Z"))
        }
        #expect(merged["createdBy"] == "kim")
    }

    /// Two people hand in one draft: only its inspector may change the time that the gateway has.
    @Test(arguments: [
        ("2026-03-04T09:00:00Z", "2026-03-04T10:00:00Z"), ("2026-03-04T10:00:00Z", "2026-03-04T09:00:00Z"),
    ])
    func theMomentOfTheFirstSubmissionStays(here: String, there: String) throws {
        let base: JSONObject = ["type": "inspection", "status": "draft", "createdBy": "bob"]
        func submitted(_ moment: String, _ notes: String) -> JSONObject {
            var object = base
            object["status"] = "submitted"
            object["submittedAt"] = .string(moment)
            object["notes"] = .string(notes)
            return object
        }
        let merged = self.merged(
            .inspection, base: base, local: submitted(here, "here"), remote: submitted(there, "there"))
        #expect(try #require(merged)["submittedAt"] == .string(there))
    }

    /// Otherwise no user could send it: over a deletion, the gateway takes a supervisor's texts for the writer's own.
    @Test(arguments: [("returned", "draft"), ("approved", "submitted"), ("draft", "draft")])
    func whatComesBackIsNotReviewed(status: String, after: String) throws {
        let base: JSONObject = ["type": "inspection", "status": .string(status), "review": "why?", "createdBy": "bob"]
        var local = base
        local["notes"] = "by the door"
        local["changedBy"] = "ann"
        local["approvedFindings"] = ["f": "d"]
        local["approvedPhotos"] = ["p"]
        let merged = try #require(self.merged(.inspection, base: base, local: local, remote: nil))
        #expect(merged["status"] == .string(after) && merged["notes"] == "by the door")
        #expect(["review", "approvedFindings", "approvedPhotos"].allSatisfy { merged[$0] == nil })
        let other = try #require(self.merged(.inspection, base: base, local: local, remote: base))
        #expect(other["status"] == .string(status) && other["review"] == "why?")
    }

    /// A supervisor's decision that meets a deletion is taken back, since no gateway can know of it; its texts are kept to be
    /// read and confirmed.
    @Test(arguments: ["olga", "ines"]) func whatWasDecidedIsListed(by: String) throws {
        let base: JSONObject = ["type": "inspection", "status": "submitted", "createdBy": "bob", "inspector": "bob"]
        var local = base
        local["status"] = "returned"
        local["review"] = "measure again"
        local["changedBy"] = .string(by)
        local["fieldChanges"] = [
            ["by": .string(by), "at": "2026-03-04T10:00:00Z", "device": "pad", "fields": ["status", "review"]]
        ]
        let writer = RecordConflictResolver.Writer(user: "olga", device: "pad")
        let merged = try #require(
            RecordConflictResolver.merged(
                .inspection, base: base, local: local, remote: nil, deletion: nil, writer: writer))
        #expect(merged["status"] == "draft" && merged["review"] == nil)
        let conflict = try #require(RecordConflict(.inspection, id: "i", object: merged))
        #expect(conflict.deletion != nil)
        let status = conflict.fields.first { $0.path == RecordConflict.status }
        let review = conflict.fields.first { $0.path == RecordConflict.review }
        #expect(status?.others.map(\.value) == ["returned"] && status?.others.map(\.stamp.by) == [by])
        #expect(review?.others.map(\.value) == ["measure again"] && review?.others.map(\.stamp.by) == [by])
    }

    /// The local version may be a merge that was never sent: then another user has changed it last.
    @Test(arguments: ["olga", "mara", nil]) func whoSendsItBringsItBack(last: String?) throws {
        let base = Self.site("Mill", by: "bob")
        let writer = RecordConflictResolver.Writer(user: "mara", device: "pad")
        var local = Self.site("New mill", by: "bob", changedBy: last)
        local["device"] = "hers"
        let merged = try #require(
            self.merged(.site, base: base, local: local, remote: nil, writer: writer))
        #expect(merged["createdBy"] == "mara" && merged["changedBy"] == "mara" && merged["name"] == "New mill")
        #expect(merged["device"] == (last == "mara" ? "hers" : "pad"))
        let remote = Self.site("Mill", by: "bob", changedBy: "olga")
        let edited = self.merged(.site, base: base, local: local, remote: remote, writer: writer)
        #expect(edited?["createdBy"] == "bob", "the gateway knows who created it")
    }

    /// A gateway does not let a user decide in another user's name, even if that user has changed the record last.
    @Test func whoDecidesAQuestionSaysSo() throws {
        var base: JSONObject = [
            "type": "inspection", "status": "draft", "createdBy": "mara", "score": 80, "changedBy": "mara",
            "changedAt": "2026-03-04T09:00:00Z", "device": "pad",
        ]
        base["conflicts"] = [
            ["field": "score", "value": 10, "by": "mara", "at": "2026-03-04T08:00:00Z", "device": "pad"],
            ["field": "score", "value": 80, "by": "kim", "at": "2026-03-04T08:30:00Z", "device": "desk"],
        ]
        var local = base
        (local["changedBy"], local["changedAt"], local["device"]) = ("kim", "2026-03-04T10:00:00Z", "desk")
        local["conflicts"] = nil
        var remote = base
        (remote["notes"], remote["changedAt"]) = ("by mara", "2026-03-04T10:01:00Z")
        let writer = RecordConflictResolver.Writer(user: "kim", device: "desk")
        let merged = try #require(
            self.merged(.inspection, base: base, local: local, remote: remote, writer: writer))
        #expect(merged["conflicts"] == nil && merged["notes"] == "by mara")
        #expect(merged["changedBy"] == "kim" && merged["device"] == "desk")
    }

    /// The user typed more before the gateway had confirmed the sent version: the base is older than that version.
    @Test(arguments: ["pad", "desk"], [true, false])
    func valuesOfOneLaptopFollowEachOther(device: String, isKnown: Bool) throws {
        func version(_ notes: String, _ score: JSONValue, by name: String) -> JSONObject {
            var object: JSONObject = [
                "type": "inspection", "status": "draft", "createdBy": "mara", "notes": .string(notes), "score": score,
                "changedBy": .string(name), "changedAt": "2026-03-04T10:00:00Z",
            ]
            object["device"] = name == "mara" ? "pad" : "desk"
            object["fieldChanges"] = [
                ["by": "mara", "at": "2026-03-04T10:00:00Z", "device": "pad", "fields": ["notes"]],
                ["by": "eve", "at": "2026-03-04T10:00:00Z", "device": "desk", "fields": ["score"]],
            ]
            return object
        }
        var change = JournalRecord(
            kind: .inspection, id: "i",
            before: JournalRecord.Version(revision: RevisionID("2-aa")!, body: version("v8", 1, by: "mara")))
        change.typed = [FieldPath("notes"): "v9"]
        let merged = try #require(
            self.merged(
                .inspection, base: version("v1", 1, by: "mara"), local: version("v9", 1, by: "mara"),
                remote: version("v8", 3, by: "eve"),
                writer: RecordConflictResolver.Writer(user: "mara", device: device),
                overwritten: isKnown ? OverwrittenValues([change]) : OverwrittenValues()))
        #expect(merged["notes"] == "v9" && merged["score"] == 3)
        // Other laptops do not know which of them came first, nor does an older copy of the folder.
        #expect((merged["conflicts"] == nil) == (device == "pad" && isKnown))
    }

    @Test func aDeletionOfBothStays() {
        let base = Self.site("Mill", by: "bob")
        #expect(self.merged(.site, base: base, local: nil, remote: nil) == nil)
    }

    @Test func aDeletionOfOneSideAloneStays() {
        let base = Self.site("Mill", by: "bob")
        #expect(self.merged(.site, base: base, local: base, remote: nil) == nil)
        #expect(self.merged(.site, base: base, local: nil, remote: base) == nil)
    }
}
