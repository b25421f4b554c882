import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Merges of two people's steps on an inspection or an assignment.
@Suite struct ReviewMergeTests {
    /// The supervisor who approves gives no reason, and neither does the inspector.
    @Test func aReasonThatNobodyGaveIsNobodys() throws {
        let base: JSONObject = [
            "type": "inspection", "status": "submitted", "createdBy": "mara", "createdAt": "2026-03-04T09:00:00Z",
            "fieldChanges": [
                ["by": "mara", "at": "2026-03-04T09:30:00Z", "device": "pad", "fields": ["status"]]
            ],
        ]
        func reviewed(_ status: JSONValue, by: String, because review: JSONValue?) -> JSONObject {
            var object = base
            object["status"] = status
            object["review"] = review
            object["changedBy"] = .string(by)
            object["changedAt"] = "2026-03-04T10:00:00Z"
            FieldChanges.afterEdit(from: base, to: object, of: .inspection).write(to: &object)
            return object
        }
        let sides = (
            reviewed("approved", by: "olga", because: nil), reviewed("returned", by: "sofia", because: "which door?")
        )
        for (a, b) in [sides, (sides.1, sides.0)] {
            let merged = try #require(RecordMerge.merge(.inspection, base: base, a: a, b: b))
            let conflict = try #require(RecordConflict(.inspection, id: "i", object: merged))
            let review = try #require(conflict.fields.first { $0.path == RecordConflict.review })
            #expect(review.current.value == nil && review.current.stamp.by == nil)
            #expect(review.others.map(\.stamp.by) == ["sofia"])
            #expect(conflict.ofEverybody == nil && conflict.ofSupervisors?.fields.count == 2)
        }
    }

    /// The gateway refuses additions to an assignment by a user whose assignment it is not any more.
    @Test(arguments: [("eve", "done", true), ("eve", "open", false), ("mara", "done", false)])
    func aClosingGivesWayToThatOfTheNewInspector(inspector: String, status: String, isRemote: Bool) {
        let base: JSONObject = [
            "type": "assignment", "status": "open", "inspector": "mara", "createdBy": "olga", "due": "2026-03-04",
        ]
        var local = base
        (local["status"], local["inspection"], local["changedBy"]) = ("done", "inspection-1", "mara")
        var remote = base
        (remote["inspector"], remote["status"]) = (.string(inspector), .string(status))
        if status == "done" { remote["inspection"] = "inspection-2" }
        let merged = RecordConflictResolver.merged(
            .assignment, base: base, local: local, remote: remote, deletion: nil,
            writer: RecordConflictResolver.Writer(user: "mara", device: "pad"))
        #expect((merged == remote) == isRemote)
        #expect(merged?["status"] == "done")
    }

    /// If an inspector closes a deleted assignment, that is no edit that needs a decision.
    @Test(arguments: [("mara", false), ("olga", true)]) func aClosingGivesWayToADeletion(user: String, isKept: Bool) {
        let base: JSONObject = [
            "type": "assignment", "status": "open", "inspector": "mara", "createdBy": "olga", "due": "2026-03-04",
        ]
        var closed = base
        closed["status"] = "done"
        closed["inspection"] = "inspection-1"
        closed["changedBy"] = .string(user)
        let writer = RecordConflictResolver.Writer(user: user, device: "pad")
        func merged(_ local: JSONObject) -> JSONObject? {
            RecordConflictResolver.merged(
                .assignment, base: base, local: local, remote: nil, deletion: nil, writer: writer)
        }
        #expect((merged(closed) != nil) == isKept)
        var moved = closed
        moved["due"] = "2026-03-05"
        #expect(merged(moved) != nil, "more than a closing")
        var done = base
        done["status"] = "done"
        var reopened = done
        reopened["status"] = "open"
        let again = RecordConflictResolver.merged(
            .assignment, base: done, local: reopened, remote: nil, deletion: nil, writer: writer)
        #expect(again != nil, "there is something to be done")
    }
}
