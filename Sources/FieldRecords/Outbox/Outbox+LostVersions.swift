import DocumentStore
import DocumentValues
import FieldModels

/// Versions that a gateway has lost, since it was restored from a backup, while it has older ones of the same records. If
/// the laptop of the person who made them is lost, too, another user sends them.
extension Outbox {
    /// Sends such a version as a change of the author's; the gateway keeps the record's creator.
    ///
    /// The gateway's version is not known here. Work of others may be handed in there, and a colleague must not change
    /// that, so both versions are merged.
    func sendAsChange(_ kind: RecordKind, id: String, body: JSONObject, by author: Author) throws {
        let unreviewed = Self.unreviewed(body, of: kind, by: author)
        var sent = unreviewed ?? body
        if let writer = author.writer { sent.beChanged(by: writer) }
        // The user who sends it hands it in: a gateway asks who did.
        if unreviewed != nil { FieldChanges.afterEdit(from: body, to: sent, of: kind).write(to: &sent) }
        if isHandedIn(sent, byOthersThan: author) {
            var open = sent
            open["status"] = .string(Inspection.Status.draft.rawValue)
            FieldChanges.afterEdit(from: open, to: sent, of: kind).write(to: &sent)
        }
        let isWorkOfAuthor = author.name.map { RecordOwners(of: kind, body).has($0) } ?? false
        if unreviewed != nil, !isWorkOfAuthor { return try putTogetherNext(kind, id: id, body: sent) }
        try collection(of: kind).save(bodies: [(id, sent.bytes)])
        try collection(of: kind).forgetBase(of: id)
    }

    private func isHandedIn(_ body: JSONObject, byOthersThan author: Author) -> Bool {
        body["type"] == "inspection" && body["status"] == .string(Inspection.Status.submitted.rawValue)
            && !Supervision.reviewer(of: body).isExactly(author.name)
    }

    /// An inspection without the review by another supervisor, which becomes a question instead: the gateway takes a
    /// review only from the supervisor who gave it.
    ///
    /// - Returns: `nil` if there is no such review.
    private static func unreviewed(_ body: JSONObject, of kind: RecordKind, by author: Author) -> JSONObject? {
        var left = body
        let status = Supervision.takeBack(from: &left, kind: kind)
        let reviewer = FieldChanges(of: body).stamp(at: RecordConflict.status, in: body).by
        let isOwn = status != nil && reviewer.isExactly(author.name)
        return isOwn || left == body ? nil : left
    }

    /// Whether a version is to be sent that follows one that the gateway has lost.
    func isOverLostVersion(_ kind: RecordKind, id: String) throws -> Bool {
        let collection = collection(of: kind)
        guard let exchange = try collection.exchange(of: id), exchange.isKnownToRemotes, !exchange.isSent else {
            return false
        }
        return try !exchange.isDeleted && collection.baseBody(of: id) == nil
    }

    func isOverLostVersion(_ record: RefusedRecord) throws -> Bool {
        try record.kind.map { try isOverLostVersion($0, id: record.documentID) } ?? false
    }

    /// - Returns: false if the gateway has the version that is known here.
    func putTogetherIfLost(_ record: RefusedRecord) throws -> Bool {
        guard let kind = record.kind, try isOverLostVersion(kind, id: record.documentID),
            let body = try collection(of: kind).document(id: record.documentID)?.body
        else { return false }
        try putTogetherNext(kind, id: record.documentID, body: body)
        return true
    }
}
