import DocumentStore
import DocumentValues
import FieldModels

/// Versions of deleted records. A record that comes back over a deletion then belongs to the person who brings it back:
/// the gateway accepts it under no other name.
extension Outbox {
    /// Saves a version of a deleted record, as a sync does where an edit meets a deletion.
    ///
    /// - Parameter isAsked: whether a person has to decide that it stays.
    private func save(
        _ body: JSONObject, overDeletionOf kind: RecordKind, id: String, isAsked: Bool = true, by author: Author
    ) throws {
        var saved = RecordConflictResolver.overDeletion(kind, body: body, writer: author.writer)
        if !isAsked {
            var contested = ContestedValues(of: saved)
            contested.removeDeletion()
            contested.write(to: &saved)
        }
        // As an edit of the approved version the gateway would take it for one that has the approval behind it, wherever that
        // is back by then, or an older version is.
        if !isAsked, Supervision.isTakenBack(saved, from: body, kind: kind) {
            return try collection(of: kind).replaceLost(id: id, body: saved.bytes)
        }
        try collection(of: kind).save(bodies: [(id, saved.bytes)])
    }

    /// Sends a refused version again as a record of the author, because the gateway does not have the record any more.
    /// Changes since the refusal are sent with it.
    ///
    /// - Throws: `RecordActionError` for a finding whose inspection is deleted, too: that has to come back first.
    public func bringBack(_ record: RefusedRecord, by author: Author) throws {
        try database.inBatch {
            guard let kind = record.kind, let document = try collection(of: kind).document(id: record.documentID) else {
                throw RecordActionError(.notFound, kind: record.kind, id: record.documentID)
            }
            if kind == .finding {
                let finding = try Finding(id: record.documentID, object: document.body)
                try InspectionTies.check(finding, among: collection(of: .inspection))
            }
            switch record.restoration {
            case .withoutHistory:
                // The deletion is not known here, so no edit can follow it: the gateway accepts a record without a history.
                try collection(of: kind).purge(id: record.documentID)
                _ = try reversal.bringBack(kind, id: record.documentID, body: document.body, by: author)
            case .asLost:
                // As far as is known here, no person has deleted it: a gateway that was restored has lost it. Otherwise each
                // of a lost laptop's hundreds of records would be a question to all users, which this person has answered
                // already.
                let isAsked = ContestedValues(of: document.body).hasDeletion
                try save(
                    document.body, overDeletionOf: kind, id: record.documentID, isAsked: isAsked, by: author)
            case .asChange: try sendAsChange(kind, id: record.documentID, body: document.body, by: author)
            case .overDeletion: try save(document.body, overDeletionOf: kind, id: record.documentID, by: author)
            }
        }
    }

    /// Settles the refused edits about which there is nothing to ask, except those that have to stay as they are: the author's
    /// own records that the gateway had once, and refuses only for the name of the user who changed them last, come back as
    /// the author's; reviews and approvals are as the gateway has them; a record that the gateway has again by now is left
    /// to its creator. Inspections come before their findings.
    ///
    /// Records of others are not brought back unasked: after a restore from a backup each laptop has all that the gateway has
    /// lost, and their creators' laptops send them as they are. A record that cannot come back stays refused, and in the
    /// outbox with the reason.
    ///
    /// - Returns: the records that the next exchange settles.
    @discardableResult
    public func settleUnasked(by author: Author) throws -> [RecordReference] {
        guard let name = author.name else { return [] }
        let edits = try all().filter { $0.change == .edit && !$0.isKept }
        var settled: [RecordReference] = []
        _ = try settle(edits) { record in
            try database.inBatch {
                guard let kind = record.kind, try isUnsettled(record),
                    try settleUnasked(record, of: name, by: author)
                else { return }
                settled.append(RecordReference(kind, id: record.documentID))
            }
        }
        return settled
    }

    /// - Returns: false where nothing was done.
    private func settleUnasked(_ record: RefusedRecord, of name: String, by author: Author) throws -> Bool {
        switch record.subject.meaning.retry {
        case .leaveToCreator: try retry(record)
        case .leaveApproved: return try leaveApproved(record)
        case .withoutReview: return try settleReview(record, of: name)
        case .putTogether:
            // Otherwise the gateway has known it otherwise, and a person decides.
            guard try isLostAtGateway(record) else { return try putTogetherIfLost(record) }
            try bringBack(record, by: author)
        case .asOwn:
            guard try isChangedByOthers(record, of: name) else { return false }
            try bringBack(record, by: author)
        case .asItIs: return false
        }
        return true
    }

    /// Removes a review that a restored gateway does not know from an inspection of the user's own.
    private func settleReview(_ record: RefusedRecord, of name: String) throws -> Bool {
        guard record.creator?.isExactly(name) == true else { return false }
        if let kind = record.kind, try isReviewedAgain(kind, id: record.documentID) {
            _ = try collection(of: kind).revert(id: record.documentID)
            return true
        }
        guard try isLostAtGateway(record) || isOverLostVersion(record) else { return false }
        try retry(record)
        return true
    }

    /// Whether it is still refused, and was not settled as kept: its worker may have mended it in another process.
    private func isUnsettled(_ record: RefusedRecord) throws -> Bool {
        let name = try CollectionName(parsing: record.collection)
        return try database.rejectedPushes(of: record.documentID, in: name)
            .contains { $0.number == record.number && !$0.isAcknowledged }
    }

    /// Whether the user's own record names another person as the one who changed it.
    private func isChangedByOthers(_ record: RefusedRecord, of name: String) throws -> Bool {
        guard let collection = record.kind?.collection else { return false }
        let body = try database.collection(name: collection.name, scope: collection.scope)?
            .document(id: record.documentID)?.body
        guard let body else { return false }
        return body["createdBy"]?.stringValue?.isExactly(name) == true
            && body["changedBy"]?.stringValue?.isExactly(name) == false
    }
}
