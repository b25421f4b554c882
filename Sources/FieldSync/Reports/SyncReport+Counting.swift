import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication

extension SyncReport {
    mutating func add(_ document: ReplicatedDocument, isPush: Bool) {
        guard let kind = RecordKind(document.scope, collection: document.collection) else { return }
        if let error = document.error {
            let code = (error as NSError).code
            let reason = (error as? ReplicationError)?.message ?? "\(error)"
            // The error is not about the record: the record is sent again by itself, and the error of the sync shows
            // why.
            if isPush, RefusalText.isOfGateway(code) { return }
            failures.append(
                Failure(
                    isPush: isPush, reference: RecordReference(kind, id: document.id),
                    message: Self.message(of: error, isPush: isPush, code: code, reason: reason), code: code,
                    reason: reason))
        } else if document.flags.contains(.accessRemoved) {
            // A gateway may announce again a record that an earlier sync took.
            if document.wasHere { counts.purged[kind, default: 0] += 1 }
        } else {
            counts.add(kind, isPush: isPush, isDeletion: document.flags.contains(.deleted))
        }
    }

    private static func message(of error: any Error, isPush: Bool, code: Int, reason: String) -> AdvisedText {
        if isPush { return RefusalText.message(code: code, reason: reason) }
        let isOfThisDisk = (error as? ReplicationError)?.isDiskFull == true
        return isOfThisDisk ? RefusalText.noRoomHere : RefusalText.message(ofFetch: code, reason: reason)
    }

    /// A refusal that the user has acknowledged is no news.
    mutating func leaveOut(_ known: [RefusedRecord]) {
        let known = Set(known.compactMap { record in record.kind.map { RecordReference($0, id: record.documentID) } })
        failures.removeAll { $0.isPush && known.contains($0.reference) }
    }

    /// What happened first and what happened then, as one.
    mutating func add(_ later: SyncReport) {
        counts.add(later.counts)
        records.add(later.records)
        failures += later.failures
        sentPhotos.add(later.sentPhotos.count, bytes: later.sentPhotos.bytes)
        receivedPhotos.add(later.receivedPhotos.count, bytes: later.receivedPhotos.bytes)
        waiting.quarantined += later.waiting.quarantined
        secondsAhead = later.secondsAhead ?? secondsAhead
        lacking = later.lacking
        milliseconds = later.milliseconds
    }

    /// Whether the report is empty.
    public var isEmpty: Bool {
        counts.isEmpty && failures.isEmpty && records.merged.isEmpty && waiting.quarantined == 0
            && sentPhotos.count + receivedPhotos.count == 0 && records.changedByOthers.isEmpty
    }

    /// Removes refused pushes that need no decision any more. Some were refused because of a change at the gateway,
    /// which has since been merged with ours. In others, the record was taken away later in the same run: then the edit
    /// is in the quarantine, and it is chance whether the push or the revocation came first.
    ///
    /// - Parameter gone: records that are not here any more.
    mutating func forgetSettled(_ refused: [RefusedRecord], gone: Set<RecordReference>) {
        let waiting = Set(
            refused.compactMap { record in record.kind.map { RecordReference($0, id: record.documentID) } })
        failures.removeAll { failure in
            (failure.isConflict || (failure.isPush && gone.contains(failure.reference)))
                && !waiting.contains(failure.reference)
        }
    }

    /// Removes refused pushes of records that the same sync sends again.
    mutating func forgetRefusals(of settled: Set<RecordReference>) {
        failures.removeAll { $0.isPush && settled.contains($0.reference) }
    }

    /// Adds facts of the record itself, such as its district, and for a deleted one those of the outbox.
    mutating func explain(_ refused: [RefusedRecord], in field: FieldDatabase) throws {
        let known = Dictionary(
            refused.compactMap { record in record.kind.map { (RecordReference($0, id: record.documentID), record) } },
            uniquingKeysWith: { first, _ in first })
        failures = try failures.map { failure in
            var failure = failure
            let title = try TitleWithSite(field.deletions).title(failure.reference)
            let record = failure.isPush ? known[failure.reference] : nil
            failure.change = record?.change
            failure.title = title.isEmpty ? record?.knownTitle : title
            guard failure.isPush, let reason = failure.reason else { return failure }
            failure.message = try field.outbox.message(
                ofRefusal: failure.code, reason, of: failure.reference.kind, id: failure.reference.id)
            return failure
        }
    }
}

extension SyncReport.Counts {
    fileprivate mutating func add(_ kind: RecordKind, isPush: Bool, isDeletion: Bool) {
        switch (isPush, isDeletion) {
        case (true, true): pushedDeletions[kind, default: 0] += 1
        case (true, false): pushed[kind, default: 0] += 1
        case (false, true): pulledDeletions[kind, default: 0] += 1
        case (false, false): pulled[kind, default: 0] += 1
        }
    }
}

extension SyncReport.Photos {
    mutating func add(_ count: Int, bytes: UInt64) {
        self.count += count
        self.bytes += bytes
    }
}

extension RecordKind {
    init?(_ scope: String, collection: String) {
        guard let name = try? CollectionName(scope: scope, name: collection) else { return nil }
        self.init(collection: name)
    }
}
