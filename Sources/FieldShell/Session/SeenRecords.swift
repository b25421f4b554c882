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
        let former = snapshots.withLock { snapshots in
            var former: [(reference: RecordReference, snapshot: RecordSnapshot?)] = []
            for (reference, snapshot) in snapshots {
                guard let noted = snapshot.noting(change) else { continue }
                former.append((reference, snapshot))
                snapshots[reference] = noted
            }
            guard change.before == nil, let written = change.after else { return former }
            if !former.contains(where: { $0.reference == change.record }) {
                former.append((change.record, snapshots[change.record]))
            }
            snapshots[change.record] = RecordSnapshot(of: change.record, written: written)
            return former
        }
        return {
            self.snapshots.withLock { snapshots in
                for (reference, snapshot) in former { snapshots[reference] = snapshot }
            }
        }
    }
}
