import DocumentStore
import DocumentValues
import FieldModels

extension Outbox {
    /// Has the next sync send it again, whatever the reason of the refusal was; if it was refused for a decision that only
    /// supervisors make, without that decision: the question is open again.
    ///
    /// - Throws: `RecordActionError` if it has left the outbox.
    public func retry(_ record: RefusedRecord) throws {
        try database.inBatch {
            guard try contains(record) else {
                throw RecordActionError(.notFound, kind: record.kind, id: record.documentID)
            }
            try database.acknowledgeRejection(record.number, isAcknowledged: false)
            switch record.subject.meaning.retry {
            case .withoutReview:
                // A changed record is sent, and does not count as refused any more.
                if let kind = record.kind, try leaveToSupervisors(kind, id: record.documentID) { return }
                if try withdrawLostReview(of: record) || putTogetherIfLost(record) { return }
            case .leaveApproved:
                if try leaveApproved(record) { return }
            case .leaveToCreator:
                if let kind = record.kind { return try leaveToCreator(kind, id: record.documentID) }
            case .putTogether:
                if try putTogetherIfLost(record) { return }
            case .asItIs, .asOwn: break
            }
            try collection(record).offerAgain(id: record.documentID)
        }
    }

    /// - Returns: false where there is nothing to take back.
    private func leaveToSupervisors(_ kind: RecordKind, id: String) throws -> Bool {
        let collection = collection(of: kind)
        guard let document = try collection.document(id: id), let before = try gatewayBody(of: kind, id) else {
            return false
        }
        let left = document.body.leavingToSupervisors(what: before, of: kind, id: id)
        guard left != document.body else { return false }
        try collection.save(bodies: [(id, left.bytes)])
        return true
    }

    /// An inspection was handed in again after a return, and a gateway that was restored does not know that return any more.
    /// It takes the reason for an inspector's own note, so the inspection is sent without it. If it was changed here since,
    /// it is merged with the gateway's present version.
    ///
    /// - Returns: false where there is no such reason.
    private func withdrawLostReview(of record: RefusedRecord) throws -> Bool {
        let id = record.documentID
        guard let kind = record.kind, var body = try collection(of: kind).document(id: id)?.body else { return false }
        let before = body
        Supervision.takeBack(from: &body, kind: kind)
        guard body != before else { return false }
        guard try isLostAtGateway(record) else {
            try putTogetherNext(kind, id: id, body: body)
            return true
        }
        try collection(of: kind).save(bodies: [(id, body.bytes)])
        try collection(of: kind).forgetBase(of: id)
        return true
    }
}

extension JSONObject {
    /// Takes the review of the record and the questions to supervisors from the gateway's version. A state that has changed
    /// since is its inspector's: they may have handed it in.
    fileprivate func leavingToSupervisors(what before: JSONObject, of kind: RecordKind, id: String) -> JSONObject {
        let question = RecordConflict(kind, id: id, object: before)?.ofSupervisors
        let paths = (question?.fields.map(\.path) ?? []) + (kind == .inspection ? [RecordConflict.review] : [])
        var body = self
        for path in paths where path != RecordConflict.status { body[path.member] = before[path.member] }
        var contested = ContestedValues(of: body)
        contested.remove(Set(paths))
        for value in ContestedValues(of: before).values {
            switch value.subject {
            case .field(let path): if paths.contains(path) { contested.insert(value) }
            case .deletion: if question?.deletion != nil { contested.insert(value) }
            }
        }
        contested.write(to: &body)
        return body
    }
}
