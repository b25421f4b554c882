import DocumentStore
import DocumentValues
import FieldModels

/// Records that were brought back under the user's name, while the gateway has them again under the names of their creators:
/// after a restore from a backup, each laptop brings back records that the gateway has lost.
extension Outbox {
    /// Leaves a record to its creator, as the gateway has it; other changes of this laptop are sent.
    ///
    /// The gateway's version that this laptop knows may be the record under the user's name, from before another restore:
    /// then the present one is fetched, and merged with the one here.
    func leaveToCreator(_ kind: RecordKind, id: String) throws {
        let collection = collection(of: kind)
        guard let body = try collection.document(id: id)?.body else { return }
        guard let known = try gatewayBody(of: kind, id), body["createdBy"] != known["createdBy"] else {
            return try putTogetherNext(kind, id: id, body: body)
        }
        let left = body.leaving(creatorOf: known)
        if left.hasSameContent(as: known) {
            _ = try collection.revert(id: id)
        } else {
            try collection.save(bodies: [(id, left.bytes)])
        }
    }

    /// Has the next sync fetch the gateway's version of a record, and put it together with one that is here.
    func putTogetherNext(_ kind: RecordKind, id: String, body: JSONObject) throws {
        try collection(of: kind).purgeToBeFetched(id: id)
        try collection(of: kind).save(bodies: [(id, body.bytes)])
    }

    /// Takes over the gateway's approval if there are no other changes here, or if the gateway's version is not known here.
    ///
    /// - Returns: false if there are other changes.
    func leaveApproved(_ record: RefusedRecord) throws -> Bool {
        if try putTogetherIfLost(record) { return true }
        guard let kind = record.kind else { return false }
        let id = record.documentID
        if try isReviewedAgain(kind, id: id) {
            _ = try collection(of: kind).revert(id: id)
            return true
        }
        guard try isApprovedInPlaceOfQuestion(kind, id: id),
            let body = try collection(of: kind).document(id: id)?.body
        else { return false }
        try putTogetherNext(kind, id: id, body: body)
        return true
    }

    /// Whether a gateway has had this version, in which an approval is only asked about, and refuses it now since it is
    /// approved: after two restores it has an older version again, which is not sent to a laptop that has had it before.
    func isApprovedInPlaceOfQuestion(_ kind: RecordKind, id: String) throws -> Bool {
        guard kind == .inspection, try collection(of: kind).exchange(of: id)?.isSent == true,
            let body = try collection(of: kind).document(id: id)?.body
        else { return false }
        let approved = JSONValue.string(Inspection.Status.approved.rawValue)
        return ContestedValues(of: body).values.contains {
            $0.subject == .field(RecordConflict.status) && $0.value == approved
        }
    }

    /// Whether it was only brought back without its approval or return, after the gateway had lost it, and a user who may
    /// give that review has brought it back with it since.
    func isReviewedAgain(_ kind: RecordKind, id: String) throws -> Bool {
        guard let body = try collection(of: kind).document(id: id)?.body, let known = try gatewayBody(of: kind, id)
        else { return false }
        return Supervision.isTakenBack(body, from: known, kind: kind)
    }
}
