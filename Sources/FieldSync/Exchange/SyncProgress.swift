/// How far a sync is, for a program that shows it.
public enum SyncProgress: Sendable, Hashable {
    /// It has begun, and can be stopped from now on.
    case begun(by: SyncReport.Performer)
    /// Nobody has answered for some seconds; it goes on trying.
    case trying
    /// How many records have been exchanged until now. There is no total: it grows while the gateway announces what there
    /// is.
    case exchanged(records: UInt64)
    /// The gateway owes an answer, and has been silent for so long. When that goes on for minutes, the connection is given up.
    case unanswered(seconds: Int64)
    /// Nothing is exchanged for the moment.
    case idle
}
