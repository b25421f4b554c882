import DocumentValues
import FieldModels

/// The review of an inspection or a filled form by a supervisor, which its author's laptop can only pass on.
enum Supervision {
    /// The members that an approval or a return sets in a record, besides its status.
    private static let notes = ["review", ApprovedFindings.member, ApprovedPhotos.member]

    /// After a deletion a supervisor's review cannot be proved any more: the gateway takes it for an inspector's own note,
    /// and refuses it. So an inspection that comes back gets the state in which its inspector left it, and the review
    /// becomes a conflict. A supervisor can confirm it then, and a typed reason can still be read.
    ///
    /// - Returns: the new status instead of the former one; `nil` if it does not change.
    @discardableResult
    static func takeBack(from body: inout JSONObject, kind: RecordKind?) -> Inspection.Status? {
        guard MergedVersions.hasReviews(kind) else { return nil }
        let (decided, step) = (body, LifeCycleStep.path(of: kind))
        if kind == .inspection { for note in notes where body[note] != nil { body[note] = nil } }
        guard let status = before(LifeCycleStep.status(body[step.member], of: kind)) else { return nil }
        let isSubmitted = status == .submitted
        body[step.member] = .string(
            kind == .response ? (isSubmitted ? Response.State.final : .draft).rawValue : status.rawValue)
        list(decided, at: kind == .response ? [step] : [step, RecordConflict.review], in: &body)
        return status
    }

    /// Whether a version is another one, brought back without its review.
    static func isTakenBack(_ version: JSONObject, from reviewed: JSONObject, kind: RecordKind) -> Bool {
        var back = reviewed
        return takeBack(from: &back, kind: kind) != nil && version.hasSameContent(as: back)
    }

    /// The person who has given an inspection its status.
    static func reviewer(of body: JSONObject) -> String? {
        FieldChanges(of: body).stamp(at: RecordConflict.status, in: body).by
    }

    private static func list(_ decided: JSONObject, at paths: [FieldPath], in body: inout JSONObject) {
        let changes = FieldChanges(of: decided)
        var contested = ContestedValues(of: body)
        for path in paths {
            let (said, present) = (decided[path.member], body[path.member])
            guard !ValueOrder.isSame(said, and: present) else { continue }
            let unknown = VersionStamp(by: nil, at: nil, device: nil)
            contested.insert(ContestedValue(.field(path), value: present, stamp: unknown))
            contested.insert(ContestedValue(.field(path), value: said, stamp: changes.stamp(at: path, in: decided)))
        }
        contested.write(to: &body)
    }

    private static func before(_ status: Inspection.Status?) -> Inspection.Status? {
        switch status {
        case .returned: .draft
        case .approved: .submitted
        case .draft, .submitted, nil: nil
        }
    }
}
