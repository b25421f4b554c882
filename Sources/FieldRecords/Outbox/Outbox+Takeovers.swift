import DocumentStore
import DocumentValues
import FieldModels

/// Records that were brought back under the user's name, while the gateway has them again as those of who made them: after a
/// restore from a backup, each laptop brings back what the gateway has lost.
extension Outbox {
    /// Leaves a record to its creator, as the gateway has it; what else was changed here is sent.
    ///
    /// What this laptop knows the gateway to have may be the record under the user's name, of before another restore: the
    /// gateway's version is fetched then, and put together with the one that is here.
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

    /// Takes over that the gateway has it approved, where nothing else was changed here, or where it is not known here what the
    /// gateway has of it.
    ///
    /// - Returns: false where there is something else.
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
