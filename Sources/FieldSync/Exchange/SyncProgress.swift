/// Photos that have come, and all that are to come.
public struct PhotoProgress: Sendable, Hashable {
    public var count = 0
    public var total = 0
    public var bytes: UInt64 = 0
    /// As far as the records say how long their photos are.
    public var totalBytes: UInt64 = 0

    public init() {}
}

/// The progress of a sync, for a program that shows it.
public enum SyncProgress: Sendable, Hashable {
    /// It has begun, and can be stopped from now on.
    case begun(by: SyncReport.Performer)
    /// The gateway has not answered for some seconds; the sync goes on trying.
    case trying
    /// How many records have been exchanged until now. There is no total, because it grows while the gateway announces
    /// records.
    case exchanged(records: UInt64)
    /// How many photos have come until now.
    case photos(PhotoProgress)
    /// The gateway owes an answer, and has been silent for so long. After some minutes of silence the connection is given up.
    case unanswered(seconds: Int64)
    /// Nothing is exchanged for the moment.
    case idle
}
