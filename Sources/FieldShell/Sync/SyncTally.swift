import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication
import Synchronization

/// Adds up what replicators do with a folder's records.
struct SyncTally {
    private let session: ShellSession
    private let field: FieldDatabase
    private let recorder = SyncRecorder()
    private var start = ContinuousClock.now
    /// How many edits were kept aside when that was last looked at.
    private var keptBefore: Int

    init(_ session: ShellSession) throws {
        self.session = session
        field = try session.field()
        keptBefore = try field.quarantine().count
        try field.forgetChangesOfRemovedRecords()
        try field.forgetReturnedRecords()
        try field.deleteFindingsOfDeletedInspections(by: session.author())
    }

    func listen(to replicator: Replicator) -> [ListenerToken] {
        [
            replicator.addDocumentReplicationListener { [recorder] in recorder.add($0) },
            replicator.addConflictListener { [recorder] in recorder.add($0) },
            replicator.addAttachmentListener { [recorder] in recorder.add($0) },
        ]
    }

    /// Time counts from now on.
    mutating func restartClock() { start = ContinuousClock.now }

    /// What has happened since the last time.
    mutating func take() throws -> SyncReport {
        let kept = try field.quarantine().count
        let (counted, pulled, resolved, deleted) = recorder.take()
        var report = counted
        report.deleted = try named(deleted)
        if !report.purged.isEmpty { try field.forgetChangesOfRemovedRecords() }
        report.merged = try MergedRecords(session).all(resolved)
        report.returned = try ReturnedInspections(session).among(pulled)
        let refused = try field.refusedRecords()
        report.leaveOut(refused.filter(\.isKept))
        let gone = try report.failures.map(\.reference).filter { try field.isGone($0) }
        report.forgetSettled(refused, gone: Set(gone))
        try report.explainRefusals(field)
        report.quarantined = max(0, kept - keptBefore)
        keptBefore = kept
        report.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return report
    }

    /// What of it is kept, and has not come back meanwhile.
    private func named(_ deleted: [RecordReference]) throws -> [SyncReport.NamedRecord] {
        guard !deleted.isEmpty else { return [] }
        let kept = try field.recordsDeletedElsewhere()
        let lines = Dictionary(kept.map { ($0.reference, $0.line) }, uniquingKeysWith: { first, _ in first })
        return deleted.compactMap { reference in
            lines[reference].map { SyncReport.NamedRecord(reference: reference, line: $0) }
        }
    }
}

/// Counts what a replicator reports of its documents; its listeners call it from their own queue.
private final class SyncRecorder: Sendable {
    private struct Notes {
        var report = SyncReport()
        /// Inspections that came, each once, in their order.
        var pulled: [String] = []
        var resolved: [RecordReference] = []
        var deleted: [RecordReference] = []
    }

    private let notes = Mutex(Notes())

    func add(_ replication: DocumentReplication) {
        notes.withLock { notes in
            for document in replication.documents {
                notes.report.add(document, isPush: replication.isPush)
                guard !replication.isPush, document.error == nil,
                    let kind = RecordKind(document.scope, document.collection)
                else { continue }
                if document.flags == .deleted { notes.deleted.append(RecordReference(kind, document.id)) }
                if document.flags.isEmpty, kind == .inspection { notes.pulled.append(document.id) }
            }
        }
    }

    func add(_ attachment: TransferredAttachment) {
        notes.withLock { notes in
            if attachment.isPush {
                notes.report.sentPhotos.add(1, attachment.bytes)
            } else {
                notes.report.receivedPhotos.add(1, attachment.bytes)
            }
        }
    }

    func add(_ conflict: ResolvedDocumentConflict) {
        guard let kind = RecordKind(conflict.scope, conflict.collection) else { return }
        notes.withLock { $0.resolved.append(RecordReference(kind, conflict.id)) }
    }

    func take() -> (
        report: SyncReport, pulled: [String], resolved: [RecordReference], deleted: [RecordReference]
    ) {
        notes.withLock { notes in
            defer { notes = Notes() }
            return (
                notes.report, notes.pulled.uniqued { Name($0) }, notes.resolved.uniqued { $0 },
                notes.deleted.uniqued { $0 }
            )
        }
    }
}

extension Array {
    /// Each element once, compared by what `key` makes of it.
    fileprivate func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension RecordKind {
    fileprivate init?(_ scope: String, _ collection: String) {
        guard let name = try? CollectionName(scope: scope, name: collection) else { return nil }
        self.init(collection: name)
    }
}

extension SyncReport {
    fileprivate mutating func add(_ document: ReplicatedDocument, isPush: Bool) {
        guard let kind = RecordKind(document.scope, document.collection) else { return }
        if let error = document.error {
            let code = (error as NSError).code
            let reason = (error as? ReplicationError)?.message ?? "\(error)"
            failures.append(
                Failure(
                    isPush: isPush, reference: RecordReference(kind, document.id),
                    words: isPush
                        ? RefusalWords.words(code: code, reason: reason)
                        : RefusalWords.words(ofFetch: code, reason: reason), code: code, reason: reason))
        } else if document.flags.contains(.accessRemoved) {
            // A gateway may tell again of a record that an earlier sync took.
            if document.wasHere { purged[kind, default: 0] += 1 }
        } else if document.flags.contains(.deleted) {
            if isPush { pushedDeletions[kind, default: 0] += 1 } else { pulledDeletions[kind, default: 0] += 1 }
        } else if isPush {
            pushed[kind, default: 0] += 1
        } else {
            pulled[kind, default: 0] += 1
        }
    }

    /// A refusal that somebody knows of is no news.
    fileprivate mutating func leaveOut(_ known: [RefusedRecord]) {
        let known = Set(known.compactMap { record in record.kind.map { RecordReference($0, record.documentID) } })
        failures.removeAll { $0.isPush && known.contains($0.reference) }
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
        sentPhotos.add(later.sentPhotos.count, later.sentPhotos.bytes)
        receivedPhotos.add(later.receivedPhotos.count, later.receivedPhotos.bytes)
        merged += later.merged
        returned += later.returned
        quarantined += later.quarantined
        secondsAhead = later.secondsAhead ?? secondsAhead
        milliseconds = later.milliseconds
    }

    /// Nothing at all has happened.
    var isEmpty: Bool {
        [pushed, pulled, purged, pushedDeletions, pulledDeletions].allSatisfy(\.isEmpty) && failures.isEmpty
            && merged.isEmpty && quarantined == 0 && sentPhotos.count + receivedPhotos.count == 0
    }

    /// Pushes that were refused, and about which nothing is to be done any more: because of a change on the other side,
    /// which has since been put together with ours, or in a run in which the record was taken away later. Which of a
    /// record's push and its revocation comes first is chance, and the edit is in the quarantine.
    ///
    /// - Parameter gone: records that are not here any more.
    mutating func forgetSettled(_ refused: [RefusedRecord], gone: Set<RecordReference>) {
        let waiting = Set(refused.compactMap { record in record.kind.map { RecordReference($0, record.documentID) } })
        failures.removeAll { failure in
            (failure.isConflict || (failure.isPush && gone.contains(failure.reference)))
                && !waiting.contains(failure.reference)
        }
    }

    /// With what the record itself says, such as its district.
    fileprivate mutating func explainRefusals(_ field: FieldDatabase) throws {
        failures = try failures.map { failure in
            var failure = failure
            let title = try RecordPlace(field).title(failure.reference)
            failure.title = title.isEmpty ? nil : title
            guard failure.isPush, let reason = failure.reason else { return failure }
            failure.words = try field.words(
                ofRefusal: failure.code, reason, of: failure.reference.kind, failure.reference.id)
            return failure
        }
    }
}

extension FieldDatabase {
    /// Not even a deletion of it is known here.
    fileprivate func isGone(_ record: RecordReference) throws -> Bool {
        try collection(of: record.kind).exchange(of: record.id) == nil
    }
}

extension SyncReport.Photos {
    fileprivate mutating func add(_ count: Int, _ bytes: UInt64) {
        self.count += count
        self.bytes += bytes
    }
}
