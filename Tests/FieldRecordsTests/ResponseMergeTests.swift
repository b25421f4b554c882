import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Merges of filled forms: their states as those of inspections, their histories without loss.
@Suite struct ResponseMergeTests {
    private static func step(_ action: String, by name: String, at minute: Int) -> JSONValue {
        [
            "action": .string(action), "by": .string(name), "at": .string("2026-03-04T10:\(minute):00Z"),
            "instanceID": "uuid:1",
        ]
    }

    private let base: JSONObject = [
        "type": "response", "form": "visit", "formVersion": "1", "instanceID": "uuid:1", "state": "final",
        "createdBy": "mara", "createdAt": "2026-03-04T09:00:00Z", "answers": ["age": 3],
        "history": [step("finalised", by: "mara", at: 10)],
    ]

    /// One side, with its own stamp and the notes of who changed what.
    private func side(of name: String, _ changes: JSONObject, step: JSONValue? = nil) -> JSONObject {
        var object = base.setting(changes)
        object["changedBy"] = .string(name)
        object["changedAt"] = "2026-03-04T11:00:00Z"
        if let step { object["history"] = .array((base["history"]?.arrayValue ?? []) + [step]) }
        FieldChanges.afterEdit(from: base, to: object, of: .response).write(to: &object)
        return object
    }

    private func merged(_ a: JSONObject, with b: JSONObject) throws -> JSONObject {
        let one = try #require(RecordMerge.merge(.response, base: base, a: a, b: b))
        #expect(RecordMerge.merge(.response, base: base, a: b, b: a) == one)
        return one
    }

    @Test func bothSidesStepsAreKeptInTheirOrder() throws {
        let comments = ["too deep", "which door?"].enumerated().map { index, why in
            Self.step("returned", by: "ines\(index)", at: 30 - index).objectValue?.setting(["why": .string(why)])
        }
        let sides = comments.map { comment in
            side(of: "ines", ["state": "hasIssues"], step: comment.map { .object($0) })
        }
        let merged = try merged(sides[0], with: sides[1])
        let history = try #require(merged["history"]?.arrayValue)
        #expect(history.map { $0["action"] } == ["finalised", "returned", "returned"])
        #expect(history.compactMap { $0["why"] } == ["which door?", "too deep"])
        #expect(merged["state"] == "hasIssues" && merged["conflicts"] == nil)
    }

    @Test func aReturnGoesOnOverTheDraftOfItsAuthor() throws {
        let draft = side(
            of: "mara", ["state": "draft", "answers": ["age": 4]], step: Self.step("reopened", by: "mara", at: 20))
        let returned = side(of: "ines", ["state": "hasIssues"], step: Self.step("returned", by: "ines", at: 21))
        let merged = try merged(draft, with: returned)
        #expect(merged["state"] == "hasIssues" && merged["conflicts"] == nil && merged["answers"] == ["age": 4])
        #expect(merged["history"]?.arrayValue?.count == 3)
    }

    /// Nothing of an approved record changes but by a decision.
    @Test func anApprovalKeepsTheAnswersThatItSaw() throws {
        let draft = side(of: "mara", ["state": "draft", "answers": ["age": 4]])
        let approved = side(of: "ines", ["state": "approved"], step: Self.step("approved", by: "ines", at: 21))
        let merged = try merged(draft, with: approved)
        #expect(merged["state"] == "approved" && merged["answers"] == ["age": 3])
        let conflict = try #require(RecordConflict(.response, id: "r", object: merged))
        #expect(conflict.fields.map(\.path.name) == ["answers.age", "state"])
        #expect(conflict.ofSupervisors?.fields.map(\.path.name) == ["state"])
    }

    @Test func anApprovalIsNotedAsTheReviewers() throws {
        let approved = side(of: "ines", ["state": "approved"])
        let changes = FieldChanges(of: approved)
        #expect(changes.stamp(at: LifeCycleStep.state, in: approved).by == "ines")
        let later = try merged(approved, with: side(of: "mara", ["site": "site-1"]))
        #expect(FieldChanges(of: later).stamp(at: LifeCycleStep.state, in: later).by == "ines")
    }

    @Test func editsOfOneRecordHaveOneInstance() throws {
        let edits = ["uuid:2", "uuid:3"].map { id in
            side(of: "mara", ["instanceID": .string(id), "deprecatedID": "uuid:1", "answers": ["age": .string(id)]])
        }
        let merged = try merged(edits[0], with: edits[1])
        #expect(merged["instanceID"] == "uuid:3" && merged["deprecatedID"] == "uuid:1")
        let conflict = try #require(RecordConflict(.response, id: "r", object: merged))
        #expect(conflict.fields.map(\.path.name) == ["answers.age"])
    }
}
