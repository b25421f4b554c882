import DocumentStore
import DocumentValues
import FieldModels

/// Versions of records that somebody has deleted. What comes back over a deletion is from then on the record of the person
/// who brings it back: the gateway accepts it under no other name.
extension FieldDatabase {
    /// Makes the edit a record again; it will be pushed with the next sync, and refused unless access has returned. Where
    /// the record is here again, and others have changed it, both versions are put together, as a sync does; where others
    /// have deleted it, somebody decides whether it stays.
    public func restoreFromQuarantine(_ id: Int64, by author: Author) throws {
        try database.inBatch {
            let kept = try database.quarantinedDocuments().first { $0.id == id }
            let isDeleted = try kept.map(isDeletedElsewhere) ?? false
            try restoreFromQuarantine(id, writer: author.writer)
            guard isDeleted, let kept, let kind = RecordKind(collection: kept.collection) else { return }
            try save(try JSONObject(parsing: kept.body), overDeletionOf: kind, id: kept.documentID, by: author)
        }
    }

    /// Whether a record was deleted, here or elsewhere, and is not there again.
    public func isDeleted(_ kind: RecordKind, id: String) throws -> Bool {
        try collection(of: kind).exchange(of: id)?.isDeleted == true
    }

    /// Whether a gateway has, or had, any version of a record.
    public func isKnownToGateway(_ record: RecordReference) throws -> Bool {
        try collection(of: record.kind).exchange(of: record.id)?.isKnownToRemotes == true
    }

    /// Whether the gateway has a record as deleted, as far as this laptop knows. What was kept as a deletion is none of these.
    private func isDeletedElsewhere(_ kept: QuarantinedDocument) throws -> Bool {
        guard !kept.isDeleted, let kind = RecordKind(collection: kept.collection),
            let present = try collection(of: kind).exchange(of: kept.documentID)
        else { return false }
        return present.isDeleted && present.isSent
    }

    /// Saves a version of a deleted record, as a sync does where an edit meets a deletion.
    ///
    /// - Parameter isAsked: whether somebody is to decide that it stays.
    private func save(
        _ body: JSONObject, overDeletionOf kind: RecordKind, id: String, isAsked: Bool = true, by author: Author
    ) throws {
        let merged = RecordConflictResolver.merged(
            kind, base: nil, local: body, remote: nil, deletion: nil, writer: author.writer)
        var saved = merged ?? body
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

    /// Sends a refused version again as a record of the author, because the gateway has the record no more. What was changed
    /// since it was refused is sent with it.
    ///
    /// - Throws: `RecordActionError` for a finding whose inspection is deleted, too: that has to come back first.
    public func bringBackRefused(_ record: RefusedRecord, by author: Author) throws {
        try database.inBatch {
            guard let kind = record.kind, let document = try collection(of: kind).document(id: record.documentID) else {
                throw RecordActionError(.notFound, kind: record.kind, id: record.documentID)
            }
            if kind == .finding {
                let finding = try Finding(id: record.documentID, object: document.body)
                try InspectionTies.check(finding, among: collection(of: .inspection))
            }
            switch record.subject {
            case .version:
                // The deletion is not known here, so no edit can follow it: the gateway accepts a record without a history.
                try collection(of: kind).purge(id: record.documentID)
                _ = try bringBack(kind, id: record.documentID, body: document.body, by: author)
            case .creator where record.awaits == .anotherLaptop, .lastChange:
                // Nobody has deleted it, as far as is known here: a gateway that was restored has lost it. Of a lost laptop's
                // hundreds of records each would be a question for everybody, which the person has answered already.
                let isAsked = ContestedValues(of: document.body).hasDeletion
                try save(
                    document.body, overDeletionOf: kind, id: record.documentID, isAsked: isAsked, by: author)
            case .otherChange where record.awaits == .anotherLaptop, .stateByOthers:
                try sendAsChange(kind, id: record.documentID, body: document.body, by: author)
            case .creator, .otherChange, .deletion, .takeover, .district, .move, .handOver, .review, .approval,
                .office, .other:
                try save(document.body, overDeletionOf: kind, id: record.documentID, by: author)
            }
        }
    }

    /// The same for records of the author's own that the gateway had once, and refuses for the name of who changed them
    /// last alone, but for those that are to stay as they are. Inspections come before their findings. What the gateway has
    /// again by now is left to its creator.
    ///
    /// Records of others are not brought back unasked: after a restore from a backup each laptop has all that the gateway has
    /// lost, and their creators' laptops send them as they are. What cannot come back stays refused, and in the outbox, which
    /// says why.
    ///
    /// - Returns: what the next exchange settles.
    @discardableResult
    public func bringBackRefusedOverDeletions(by author: Author) throws -> [RecordReference] {
        guard let name = author.name else { return [] }
        let edits = try refusedRecords().filter { $0.change == .edit && !$0.isKept }
        var settled: [RecordReference] = []
        _ = try settleRefused(edits) { record in
            try database.inBatch {
                guard let kind = record.kind, try isUnsettled(record),
                    try bringBackUnasked(record, of: name, by: author)
                else { return }
                settled.append(RecordReference(kind, id: record.documentID))
            }
        }
        return settled
    }

    /// - Returns: false where nothing was done.
    private func bringBackUnasked(_ record: RefusedRecord, of name: String, by author: Author) throws -> Bool {
        switch record.subject {
        case .takeover: try retryRefused(record)
        case .approval: return try leaveApproved(record)
        case .review: return try settleReview(record, of: name)
        case .stateByOthers:
            // Otherwise the gateway has known it otherwise, and a person decides.
            guard try isLostAtGateway(record) else { return try putTogetherIfLost(record) }
            try bringBackRefused(record, by: author)
        case .lastChange:
            guard try isChangedByOthers(record, of: name) else { return false }
            try bringBackRefused(record, by: author)
        case .district, .move, .handOver, .creator, .otherChange, .deletion, .version, .office, .other: return false
        }
        return true
    }

    /// Takes back what a restored gateway cannot know of a review, in an inspection of one's own.
    private func settleReview(_ record: RefusedRecord, of name: String) throws -> Bool {
        guard record.creator?.isExactly(name) == true else { return false }
        if let kind = record.kind, try isReviewedAgain(kind, id: record.documentID) {
            _ = try collection(of: kind).revert(id: record.documentID)
            return true
        }
        guard try isLostAtGateway(record) || isOverLostVersion(record) else { return false }
        try retryRefused(record)
        return true
    }

    /// Settles one refused record after the other, inspections before their findings. One that only others can settle keeps
    /// nothing that follows it.
    ///
    /// - Parameter settle: throws for one that is to stay as it is.
    /// - Returns: what stays in the outbox, with the reason.
    /// - Throws: what is in the way of all of them, such as a full disk.
    public func settleRefused(
        _ records: [RefusedRecord], by settle: (RefusedRecord) throws -> Void
    ) throws -> [(record: RefusedRecord, reason: any Error)] {
        var left: [(RefusedRecord, any Error)] = []
        for record in records.filter({ $0.kind != .finding }) + records.filter({ $0.kind == .finding }) {
            do {
                try settle(record)
            } catch let error as RecordActionError {
                // The inspection of a finding is to come back first; or the record has left the outbox meanwhile.
                if try isRefused(record) { left.append((record, error)) }
            } catch let error as RecordError {
                // Only the office can read it, or mend it.
                left.append((record, error))
            } catch let error as StoreError where error.code == .badDocumentID {
                // Gateways send longer ids than laptops give.
                left.append((record, error))
            }
        }
        return left
    }

    /// Whether it is refused still, and nobody keeps it as it is: its worker may have mended it in another process.
    private func isUnsettled(_ record: RefusedRecord) throws -> Bool {
        let name = try CollectionName(parsing: record.collection)
        return try database.rejectedPushes(of: record.documentID, in: name)
            .contains { $0.number == record.number && !$0.isAcknowledged }
    }

    /// Whether it names somebody else in a record of one's own.
    private func isChangedByOthers(_ record: RefusedRecord, of name: String) throws -> Bool {
        guard let collection = record.kind?.collection else { return false }
        let body = try database.collection(name: collection.name, scope: collection.scope)?
            .document(id: record.documentID)?.body
        guard let body else { return false }
        return body["createdBy"]?.stringValue?.isExactly(name) == true
            && body["changedBy"]?.stringValue?.isExactly(name) == false
    }
}

extension Author {
    /// Who sends what is merged here; `nil` where nobody has signed in.
    var writer: RecordConflictResolver.Writer? {
        name.map { RecordConflictResolver.Writer(user: $0, device: device) }
    }
}
