import DocumentValues
import FieldModels

/// The review of an inspection by a supervisor, which an inspector's laptop can only pass on.
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
        guard kind == .inspection else { return nil }
        let decided = body
        for note in notes where body[note] != nil { body[note] = nil }
        guard let status = before(body["status"]?.stringValue) else { return nil }
        body["status"] = .string(status.rawValue)
        list(decided, in: &body)
        return status
    }

    /// Whether a version is another one, brought back without its review.
    static func isTakenBack(_ version: JSONObject, from reviewed: JSONObject, kind: RecordKind) -> Bool {
        var back = reviewed
        return takeBack(from: &back, kind: kind) != nil && version.hasSameContent(as: back)
    }

    /// The person who has given an inspection its state.
    static func reviewer(of body: JSONObject) -> String? {
        FieldChanges(of: body).stamp(at: RecordConflict.status, in: body).by
    }

    private static func list(_ decided: JSONObject, in body: inout JSONObject) {
        let changes = FieldChanges(of: decided)
        var contested = ContestedValues(of: body)
        for path in [RecordConflict.status, RecordConflict.review] {
            let (said, present) = (decided[path.member], body[path.member])
            guard !ValueOrder.isSame(said, and: present) else { continue }
            let unknown = VersionStamp(by: nil, at: nil, device: nil)
            contested.insert(ContestedValue(.field(path), value: present, stamp: unknown))
            contested.insert(ContestedValue(.field(path), value: said, stamp: changes.stamp(at: path, in: decided)))
        }
        contested.write(to: &body)
    }

    private static func before(_ status: String?) -> Inspection.Status? {
        switch status.flatMap({ Inspection.Status(exactly: $0) }) {
        case .returned: .draft
        case .approved: .submitted
        case .draft, .submitted, nil: nil
        }
    }
}
