import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication
import Synchronization

/// Adds up what replicators do with a folder's records.
struct SyncTally {
    private let field: FieldDatabase
    private let recorder = SyncRecorder()
    private var start = ContinuousClock.now
    /// How many edits were kept aside when that was last looked at.
    private var keptBefore: Int

    init(_ field: FieldDatabase) throws {
        self.field = field
        keptBefore = try field.quarantine().count
    }

    func listen(to replicator: Replicator) -> [ListenerToken] {
        [
            replicator.addDocumentReplicationListener { [recorder] in recorder.add($0) },
            replicator.addConflictListener { [recorder] _ in recorder.addConflict() },
        ]
    }

    /// Time counts from now on.
    mutating func restartClock() { start = ContinuousClock.now }

    /// What has happened since the last time.
    mutating func take() throws -> SyncReport {
        let kept = try field.quarantine().count
        var report = recorder.take()
        try report.leaveOut(field.refusedRecords().filter(\.isKept))
        report.quarantined = max(0, kept - keptBefore)
        keptBefore = kept
        report.milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        return report
    }
}

/// Counts what a replicator tells of its documents; its listeners call it from their own queue.
private final class SyncRecorder: Sendable {
    private let report = Mutex(SyncReport())

    func add(_ replication: DocumentReplication) {
        report.withLock { report in
            for document in replication.documents { report.add(document, isPush: replication.isPush) }
        }
    }

    func addConflict() { report.withLock { $0.conflicts += 1 } }

    func take() -> SyncReport {
        report.withLock { report in
            defer { report = SyncReport() }
            return report
        }
    }
}

extension SyncReport {
    fileprivate mutating func add(_ document: ReplicatedDocument, isPush: Bool) {
        guard let name = try? CollectionName(scope: document.scope, name: document.collection),
            let kind = RecordKind(collection: name)
        else { return }
        if let error = document.error {
            let code = (error as NSError).code
            let reason = (error as? ReplicationError)?.message ?? "\(error)"
            failures.append(
                Failure(
                    isPush: isPush, reference: RecordReference(kind, document.id),
                    words: RefusalWords.words(code: code, reason: reason), code: code))
        } else if document.flags.contains(.accessRemoved) {
            // A gateway may tell again of a record that an earlier sync took.
            if document.wasHere { purged[kind, default: 0] += 1 }
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
        failures += later.failures
        conflicts += later.conflicts
        quarantined += later.quarantined
        milliseconds = later.milliseconds
    }

    /// Nothing at all has happened.
    var isEmpty: Bool {
        pushed.isEmpty && pulled.isEmpty && purged.isEmpty && failures.isEmpty && conflicts == 0 && quarantined == 0
    }
}
