import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication
import Synchronization

/// Counts what a replicator tells of its documents; its listeners call it from their own queue.
final class SyncRecorder: Sendable {
    private let report = Mutex(SyncReport())

    func add(_ replication: DocumentReplication) {
        report.withLock { report in
            for document in replication.documents { report.add(document, isPush: replication.isPush) }
        }
    }

    func addConflict() { report.withLock { $0.conflicts += 1 } }

    /// What has happened since the last time.
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
            if document.wasHere { purged[kind, default: []].append(document.id) }
        } else if isPush {
            pushed[kind, default: 0] += 1
        } else {
            pulled[kind, default: 0] += 1
        }
    }

    /// Nothing at all has happened.
    var isEmpty: Bool {
        pushed.isEmpty && pulled.isEmpty && purged.isEmpty && failures.isEmpty && conflicts == 0 && quarantined == 0
    }
}
