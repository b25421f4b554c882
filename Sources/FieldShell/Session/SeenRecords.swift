import FieldRecords
import Synchronization

/// The records that were shown or written in this session, as the person knows them.
final class SeenRecords: Sendable {
    private let snapshots = Mutex<[RecordReference: RecordSnapshot]>([:])

    subscript(reference: RecordReference) -> RecordSnapshot? {
        get { snapshots.withLock { $0[reference] } }
        set { snapshots.withLock { $0[reference] = newValue } }
    }

    /// A finding may have been shown as a part of its inspection.
    ///
    /// - Returns: takes the note back, for a change that does not last.
    func note(_ change: OwnChange) -> @Sendable () -> Void {
        let before = snapshots.withLock { snapshots in
            var before: [RecordReference: RecordSnapshot?] = [:]
            for (reference, snapshot) in snapshots {
                guard let noted = snapshot.noting(change) else { continue }
                before[reference] = snapshot
                snapshots[reference] = noted
            }
            if change.before == nil, let written = change.after {
                before[change.record] = before[change.record] ?? snapshots[change.record]
                snapshots[change.record] = RecordSnapshot(of: change.record, written: written)
            }
            return before
        }
        return {
            self.snapshots.withLock { snapshots in for (reference, old) in before { snapshots[reference] = old } }
        }
    }
}
