import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// Two people decide the same question differently, without knowing of each other's decision.
@Suite struct OpposedDecisionsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let kind: RecordKind
        /// The states to decide between; the last one counts until the decision.
        let states: [String]
        let a: String
        let b: String

        var testDescription: String { "\(kind): \(states), \(a) and \(b)" }
    }

    /// Every question about a state that a merge can leave, or an inspection that was brought back, with each of its values as
    /// the current one.
    private static let cases: [Case] = [
        (RecordKind.inspection, ["approved", "returned"]), (.inspection, ["submitted", "approved"]),
        (.inspection, ["draft", "returned"]), (.inspection, ["submitted", "returned"]),
        (.inspection, ["draft", "submitted"]), (.inspection, ["approved", "draft"]),
        (.assignment, ["done", "dropped"]),
        (.assignment, ["open", "dropped"]), (.assignment, ["done", "open"]),
    ].flatMap { kind, states in
        [states, states.reversed()].map { Case(kind: kind, states: $0, a: $0[0], b: $0[1]) }
    }

    private static let status = RecordConflict.status

    private func author(_ name: String, minute: Int64) -> Author {
        Author(name: name, moment: Timestamp(secondsSince1970: 1_772_600_000 + minute * 60), device: "\(name)-laptop")
    }

    private func entry(_ path: FieldPath, _ value: JSONValue?, by name: String) -> JSONValue {
        let stamp = VersionStamp(by: name, at: author(name, minute: 0).moment, device: "\(name)-laptop")
        return .object(ContestedValue(.field(path), value: value, stamp: stamp).object)
    }

    private func step(_ name: String, minute: Int64) -> JSONValue {
        [
            "by": .string(name), "at": .string(author(name, minute: minute).moment.description),
            "device": .string("\(name)-laptop"), "fields": ["status"],
        ]
    }

    private func decide(_ body: JSONObject, _ kind: RecordKind, _ choices: [FieldPath: JSONValue], by name: String)
        throws -> JSONObject
    {
        Conflicts.decided(
            body, conflict: try #require(RecordConflict(kind, id: "i", object: body)), choices: choices,
            keepsRecord: false, by: author(name, minute: 5))
    }

    /// The merge of both sides, which is the same in either order.
    private func merged(_ kind: RecordKind, _ base: JSONObject?, _ a: JSONObject, _ b: JSONObject) throws -> JSONObject
    {
        let merged = try #require(RecordMerge.merge(kind, base: base, a: a, b: b))
        #expect(merged == RecordMerge.merge(kind, base: base, a: b, b: a))
        return merged
    }

    private func values(_ body: JSONObject, _ kind: RecordKind, _ path: FieldPath) throws -> [String: String?] {
        let conflict = try #require(RecordConflict(kind, id: "i", object: body), "\(body)")
        let field = try #require(conflict.fields.first { $0.path == path }, "\(body)")
        let all = ([field.current] + field.others).map { ($0.value?.stringValue ?? "", $0.stamp.by) }
        return Dictionary(all, uniquingKeysWith: { $1 })
    }

    /// Neither silently overrules the other, whichever of the two was current, and however many steps are between them.
    @Test(arguments: cases) func aStateIsAskedAboutAgain(_ row: Case) throws {
        let base: JSONObject = [
            "type": .string(row.kind.rawValue), "status": .string(row.states[1]), "createdBy": "mara",
            "conflicts": .array(zip(row.states, ["olga", "tomas"]).map { entry(Self.status, .string($0), by: $1) }),
            "fieldChanges": [step("tomas", minute: 0)],
        ]
        let a = try decide(base, row.kind, [Self.status: .string(row.a)], by: "ines")
        let b = try decide(base, row.kind, [Self.status: .string(row.b)], by: "sven")
        let merged = try merged(row.kind, base, a, b)
        #expect(try Set(values(merged, row.kind, Self.status).keys) == Set(row.states))
        let order =
            row.kind == .inspection ? ["draft", "submitted", "returned", "approved"] : ["open", "dropped", "done"]
        #expect(merged["status"] == order.last { row.states.contains($0) }.map { .string($0) })
    }

    /// Ines has approved and Sven has returned it, and so they decide.
    private func contestedReview() -> JSONObject {
        [
            "type": "inspection", "status": "approved", "createdBy": "mara", "score": 1,
            "approvedFindings": ["f": "1"], "fieldChanges": [step("ines", minute: 0)],
            "conflicts": [
                entry(Self.status, "approved", by: "ines"), entry(Self.status, "returned", by: "sven"),
                entry(RecordConflict.review, nil, by: "ines"), entry(RecordConflict.review, "bad door", by: "sven"),
            ],
        ]
    }

    /// The approval counts until a person decides, and so do all its fields.
    @Test func anApprovalIsNotOverruledByAReturn() throws {
        let base = contestedReview()
        let approved = try decide(
            base, .inspection, [Self.status: "approved", RecordConflict.review: .null], by: "ines")
        var returned = try decide(
            base, .inspection, [Self.status: "returned", RecordConflict.review: "bad door"], by: "sven")
        returned["approvedFindings"] = nil
        // Later changes by the inspector do not become part of the approval.
        returned["score"] = 2
        let merged = try merged(.inspection, base, approved, returned)
        #expect(merged["status"] == "approved" && merged["review"] == nil && merged["score"] == 1)
        #expect(merged["approvedFindings"] == ["f": "1"])
        #expect(try values(merged, .inspection, Self.status) == ["approved": "ines", "returned": "sven"])
        #expect(try values(merged, .inspection, RecordConflict.review) == ["": "ines", "bad door": "sven"])
        #expect(ContestedValues(of: merged).fields[FieldPath("score")]?.count == 2)
    }

    /// The gateway accepts an approval only from the person who gives it.
    @Test func whoDecidesForAnApprovalOfSomebodyElseHasGivenIt() throws {
        let base = contestedReview()
        let approved = try decide(base, .inspection, [Self.status: "approved"], by: "olga")
        let returned = try decide(base, .inspection, [Self.status: "returned"], by: "sven")
        let merged = try merged(.inspection, base, approved, returned)
        #expect(try values(merged, .inspection, Self.status) == ["approved": "olga", "returned": "sven"])
        #expect(FieldChanges(of: merged).last(of: [Self.status])?.by == "olga")
    }

    /// To confirm that it is handed in does not hand it in again.
    @Test func aSubmissionStaysOfWhoHandedItIn() throws {
        var base = contestedReview()
        base["status"] = "submitted"
        base["fieldChanges"] = [step("mara", minute: 0)]
        base["conflicts"] = [entry(Self.status, "draft", by: "mara"), entry(Self.status, "submitted", by: "mara")]
        let decided = try decide(base, .inspection, [Self.status: "submitted"], by: "kim")
        #expect(FieldChanges(of: decided).last(of: [Self.status])?.by == "mara")
    }

    /// The return is a separate command, which removes the question.
    @Test func aReturnWithoutADecisionIsNoneTheLess() throws {
        let base = contestedReview()
        let approved = try decide(
            base, .inspection, [Self.status: "approved", RecordConflict.review: .null], by: "ines")
        var returned = base
        returned["status"] = "returned"
        returned["review"] = "worse"
        ContestedValues.afterEdit(from: base, to: returned).write(to: &returned)
        let merged = try merged(.inspection, base, approved, returned)
        #expect(merged["status"] == "approved" && merged["review"] == nil)
        #expect(try Set(values(merged, .inspection, Self.status).keys) == ["approved", "returned"])
        #expect(try Set(values(merged, .inspection, RecordConflict.review).keys) == ["", "worse"])
    }

    /// That removes one of three answers, so there is still a question.
    @Test func aStepToWhatWasInQuestionIsAnAnswer() throws {
        let base: JSONObject = [
            "type": "assignment", "status": "done", "createdBy": "ines",
            "conflicts": .array(["done", "dropped", "open"].map { entry(Self.status, .string($0), by: "olga") }),
        ]
        let done = try decide(base, .assignment, [Self.status: "done"], by: "mara")
        var dropped = base
        dropped["status"] = "dropped"
        let merged = try merged(.assignment, base, done, dropped)
        #expect(merged["status"] == "done")
        #expect(try Set(values(merged, .assignment, Self.status).keys).isSuperset(of: ["done", "dropped"]))
    }

    /// It was begun and done once more by a user who did not know that it had been dropped.
    @Test func aStateThatIsGivenOnceMoreIsAnAnswer() throws {
        let base: JSONObject = [
            "type": "assignment", "status": "done", "createdBy": "ines", "fieldChanges": [step("mara", minute: 0)],
            "conflicts": .array(["done", "dropped", "open"].map { entry(Self.status, .string($0), by: "olga") }),
        ]
        var (again, dropped) = (base, base)
        again["conflicts"] = [entry(Self.status, "dropped", by: "olga")]
        again["fieldChanges"] = [step("mara", minute: 9)]
        dropped["status"] = "dropped"
        dropped["fieldChanges"] = [step("ines", minute: 5)]
        let merged = try merged(.assignment, base, again, dropped)
        #expect(merged["status"] == "done")
        #expect(try Set(values(merged, .assignment, Self.status).keys).isSuperset(of: ["done", "dropped"]))
    }

    @Test func whatIsOpenAgainCanStillBeDropped() throws {
        let base: JSONObject = [
            "type": "assignment", "status": "done", "createdBy": "ines",
            "conflicts": .array(["done", "dropped"].map { entry(Self.status, .string($0), by: "olga") }),
        ]
        let done = try decide(base, .assignment, [Self.status: "done"], by: "mara")
        var reopened = base
        reopened["status"] = "open"
        ContestedValues.afterEdit(from: base, to: reopened).write(to: &reopened)
        let merged = try merged(.assignment, base, done, reopened)
        #expect(merged["status"] == "open")
        #expect(try Set(values(merged, .assignment, Self.status).keys) == ["open", "dropped"])
    }

    /// An inspection that a supervisor has checked once more stays approved, too.
    @Test func anApprovalThatIsGivenAgainIsOne() throws {
        var base = contestedReview()
        base["conflicts"] = nil
        var (again, returned) = (base, base)
        again["approvedFindings"] = ["f": "2"]
        again["fieldChanges"] = [step("ines", minute: 9)]
        returned["status"] = "returned"
        returned["review"] = "bad door"
        returned["approvedFindings"] = nil
        returned["fieldChanges"] = [step("sven", minute: 8)]
        let merged = try merged(.inspection, base, again, returned)
        #expect(merged["status"] == "approved" && merged["approvedFindings"] == ["f": "2"] && merged["review"] == nil)
        #expect(try Set(values(merged, .inspection, Self.status).keys) == ["approved", "returned"])
        // A person who has not touched the approval has made no decision about it.
        var edited = base
        edited["notes"] = "n"
        #expect(try self.merged(.inspection, base, edited, returned)["status"] == "returned")
    }

    /// Both returned it, and its inspector has made the requested changes.
    @Test func handingInAgainAnswersADecision() throws {
        var base = contestedReview()
        base["status"] = "returned"
        base["submittedAt"] = "2026-03-04T08:00:00Z"
        base["conflicts"] = [entry(Self.status, "returned", by: "ines"), entry(Self.status, "draft", by: "mara")]
        let confirmed = try decide(base, .inspection, [Self.status: "returned"], by: "ines")
        var again = try decide(base, .inspection, [Self.status: "returned"], by: "sven")
        again["status"] = "submitted"
        again["submittedAt"] = "2026-03-04T12:00:00Z"
        let merged = try merged(.inspection, base, confirmed, again)
        #expect(merged["status"] == "submitted" && ContestedValues(of: merged).isEmpty)
    }

    /// One person decides that it stays, the other that it is deleted; a third one has edited it and merges.
    @Test func whetherItIsDeletedIsAskedAgain() throws {
        let old = VersionStamp(by: "olga", at: author("olga", minute: 0).moment, device: "olga-laptop")
        let base: JSONObject = [
            "type": "inspection", "status": "draft", "notes": "n",
            "conflicts": [.object(ContestedValue(.deletion, value: nil, stamp: old).object)],
        ]
        var (kept, edited) = (base, base)
        kept["conflicts"] = nil
        edited["notes"] = "m"
        let new = VersionStamp(by: "sven", at: author("sven", minute: 5).moment, device: "sven-laptop")
        let open = try #require(RecordMerge.merge(.inspection, base: base, a: nil, b: edited, deletion: new))
        #expect(RecordConflict(.inspection, id: "i", object: open)?.deletion == new)
        let merged = try merged(.inspection, base, kept, open)
        #expect(RecordConflict(.inspection, id: "i", object: merged)?.deletion == new)
    }
}
