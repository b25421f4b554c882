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
            // The gateway has said nothing of the record: it is sent again by itself, and the sync's own error says why.
            if isPush, RefusalText.isOfGateway(code) { return }
            failures.append(
                Failure(
                    isPush: isPush, reference: RecordReference(kind, id: document.id),
                    message: Self.message(of: error, isPush: isPush, code: code, reason: reason), code: code,
                    reason: reason))
        } else if document.flags.contains(.accessRemoved) {
            // A gateway may announce again a record that an earlier sync took.
            if document.wasHere { purged[kind, default: 0] += 1 }
        } else if document.flags.contains(.deleted) {
            if isPush { pushedDeletions[kind, default: 0] += 1 } else { pulledDeletions[kind, default: 0] += 1 }
        } else if isPush {
            pushed[kind, default: 0] += 1
        } else {
            pulled[kind, default: 0] += 1
        }
    }

    private static func message(of error: any Error, isPush: Bool, code: Int, reason: String) -> String {
        if isPush { return RefusalText.message(code: code, reason: reason) }
        let isOfThisDisk = (error as? ReplicationError)?.isDiskFull == true
        return isOfThisDisk ? RefusalText.noRoomHere : RefusalText.message(ofFetch: code, reason: reason)
    }

    /// A refusal that somebody knows of is no news.
    mutating func leaveOut(_ known: [RefusedRecord]) {
        let known = Set(known.compactMap { record in record.kind.map { RecordReference($0, id: record.documentID) } })
        failures.removeAll { $0.isPush && known.contains($0.reference) }
    }

    /// What is named in both is named as it is now.
    private static func joined(_ earlier: [NamedRecord], with later: [NamedRecord]) -> [NamedRecord] {
        let named = Set(later.map(\.reference))
        return earlier.filter { !named.contains($0.reference) } + later
    }

    /// What happened first and what happened then, as one.
    mutating func add(_ later: SyncReport) {
        pushed.merge(later.pushed, uniquingKeysWith: +)
        pulled.merge(later.pulled, uniquingKeysWith: +)
        purged.merge(later.purged, uniquingKeysWith: +)
        pushedDeletions.merge(later.pushedDeletions, uniquingKeysWith: +)
        pulledDeletions.merge(later.pulledDeletions, uniquingKeysWith: +)
        deleted += later.deleted
        failures += later.failures
        sentPhotos.add(later.sentPhotos.count, bytes: later.sentPhotos.bytes)
        receivedPhotos.add(later.receivedPhotos.count, bytes: later.receivedPhotos.bytes)
        merged += later.merged
        undecided.merge(later.undecided, uniquingKeysWith: +)
        returned += later.returned
        changedApprovals = Self.joined(changedApprovals, with: later.changedApprovals)
        followed += later.followed
        handedOver += later.handedOver
        repeated = Self.joined(repeated, with: later.repeated)
        changedByOthers = Self.joined(changedByOthers, with: later.changedByOthers)
        quarantined += later.quarantined
        secondsAhead = later.secondsAhead ?? secondsAhead
        milliseconds = later.milliseconds
    }

    /// Nothing at all has happened.
    public var isEmpty: Bool {
        [pushed, pulled, purged, pushedDeletions, pulledDeletions].allSatisfy(\.isEmpty) && failures.isEmpty
            && merged.isEmpty && quarantined == 0 && sentPhotos.count + receivedPhotos.count == 0
            && changedByOthers.isEmpty
    }

    /// Pushes that were refused, and about which nothing is to be done any more: because of a change on the other side,
    /// which has since been put together with ours, or in a run in which the record was taken away later. Which of a
    /// record's push and its revocation comes first is chance, and the edit is in the quarantine.
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

    /// Pushes that were refused, of records that the same sync sends once more.
    mutating func forgetRefusals(of settled: Set<RecordReference>) {
        failures.removeAll { $0.isPush && settled.contains($0.reference) }
    }

    /// With what the record itself says, such as its district, and what the outbox says of one that was deleted.
    mutating func explain(_ refused: [RefusedRecord], in field: FieldDatabase) throws {
        let known = Dictionary(
            refused.compactMap { record in record.kind.map { (RecordReference($0, id: record.documentID), record) } },
            uniquingKeysWith: { first, _ in first })
        failures = try failures.map { failure in
            var failure = failure
            let title = try TitleWithSite(field).title(failure.reference)
            let record = failure.isPush ? known[failure.reference] : nil
            failure.change = record?.change
            failure.title = title.isEmpty ? record?.knownTitle : title
            guard failure.isPush, let reason = failure.reason else { return failure }
            failure.message = try field.message(
                ofRefusal: failure.code, reason, of: failure.reference.kind, id: failure.reference.id)
            return failure
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
