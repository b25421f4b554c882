import DocumentValues
import FieldModels
import FieldRecords
import Replication
import Synchronization

/// Counts the documents that a replicator reports; its listeners call it from their own queue.
final class SyncRecorder: Sendable {
    /// The counts, with their records.
    struct Notes {
        var report = SyncReport()
        var sentPhotos = SentPhotos()
        /// Pulled records, each once, in their order.
        var pulled: [RecordReference] = []
        /// Pushed records, as often as they were sent.
        var pushed: [RecordReference] = []
        var resolved: [RecordReference] = []
        var deleted: [RecordReference] = []

        /// Adds later notes.
        mutating func add(_ later: Notes) {
            report.add(later.report)
            sentPhotos.add(later.sentPhotos)
            pulled += later.pulled
            pushed += later.pushed
            resolved += later.resolved
            deleted += later.deleted
        }

        mutating func add(pulled reference: RecordReference, _ flags: DocumentFlags) {
            if flags == .deleted { deleted.append(reference) }
            if flags.contains(.accessRemoved) { sentPhotos.add(reference, isAccepted: false) }
            if flags.isEmpty { pulled.append(reference) }
        }
    }

    private let notes = Mutex(Notes())

    func add(_ replication: DocumentReplication) {
        notes.withLock { notes in
            for document in replication.documents {
                notes.report.add(document, isPush: replication.isPush)
                guard let kind = RecordKind(document.scope, collection: document.collection) else { continue }
                let reference = RecordReference(kind, id: document.id)
                if replication.isPush {
                    notes.sentPhotos.add(reference, isAccepted: document.error == nil)
                    if document.error == nil { notes.pushed.append(reference) }
                } else if document.error == nil {
                    notes.add(pulled: reference, document.flags)
                }
            }
        }
    }

    func add(_ attachment: TransferredAttachment) {
        notes.withLock { notes in
            if attachment.isPush {
                notes.sentPhotos.add(attachment.digest, bytes: attachment.bytes)
            } else {
                notes.report.receivedPhotos.add(1, bytes: attachment.bytes)
            }
        }
    }

    func add(_ conflict: ResolvedDocumentConflict) {
        guard let kind = RecordKind(conflict.scope, collection: conflict.collection) else { return }
        notes.withLock { $0.resolved.append(RecordReference(kind, id: conflict.id)) }
    }

    func take() -> Notes {
        notes.withLock { notes in
            defer { notes = Notes() }
            var taken = notes
            taken.pulled = notes.pulled.uniqued { $0 }
            taken.resolved = notes.resolved.uniqued { $0 }
            taken.deleted = notes.deleted.uniqued { $0 }
            return taken
        }
    }

    /// Gives back notes that could not be reported.
    func giveBack(_ taken: Notes) {
        notes.withLock { notes in
            var all = taken
            all.add(notes)
            notes = all
        }
    }
}

extension Array {
    /// Each element once, compared by its `key`.
    fileprivate func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}
