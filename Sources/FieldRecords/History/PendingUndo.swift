import DocumentValues
import FieldModels

/// The change that `undo` would take back now.
public struct PendingUndo: Sendable, Hashable {
    @Exact public private(set) var title: String
    public let moment: Timestamp
    /// Records that are new with the change: nothing is left of them when it is taken back, and it cannot be made again.
    public let vanishing: [UndoneChange.Record]
    /// Of the others.
    public let losses: UndoLosses
    let change: ChangeNumber

    init(_ entry: JournalEntry, losses: UndoLosses) {
        self.losses = losses
        title = entry.title
        moment = entry.author.moment
        change = entry.change
        vanishing = entry.records.filter { $0.before == nil }
            .map { UndoneChange.Record(kind: $0.kind, id: $0.id, outcome: .removed) }
    }
}
