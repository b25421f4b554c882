import FieldRecords
import Synchronization

/// The records that were shown or written in this session, as the person knows them.
final class SeenRecords: Sendable {
    private let snapshots = Mutex<[RecordReference: RecordSnapshot]>([:])

    subscript(reference: RecordReference) -> RecordSnapshot? {
        get { snapshots.withLock { $0[reference] } }
        set { snapshots.withLock { $0[reference] = newValue } }
    }

    /// A finding may be part of what was shown of its inspection.
    func note(_ change: OwnChange) {
        snapshots.withLock { snapshots in
            for reference in snapshots.keys { snapshots[reference]?.note(change) }
            guard change.before == nil, let written = change.after else { return }
            snapshots[change.record] = RecordSnapshot(of: change.record, written: written)
        }
    }
}
