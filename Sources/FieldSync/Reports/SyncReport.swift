import FieldModels

/// What a sync brought.
public struct SyncReport: Sendable, Hashable {
    public var counts = Counts()
    public var failures: [Failure] = []
    public var sentPhotos = Photos()
    public var receivedPhotos = Photos()
    /// Photos that are not on this laptop yet.
    public var absentPhotos = 0
    /// Records by name.
    public var records = Records()
    /// What a report that was cut leaves out of its lists.
    public var unnamed = Unnamed()
    public var waiting = Waiting()
    /// By how many seconds this laptop's clock is ahead of the gateway's, or behind where it is negative; `nil` where they
    /// agree.
    public var secondsAhead: Int64?
    /// The kinds of records that are here and for which the gateway has no collection: nothing of them was exchanged.
    public var lacking: [RecordKind] = []
    /// Why the status cannot show this sync; `nil` if it does.
    public var unnotedBecause: String?
    public var milliseconds = 0
    public var end = End.complete
    public var by = Performer.command

    /// The program that has done the sync.
    public enum Performer: String, Sendable, Hashable, Codable {
        /// A command that a person typed.
        case command
        /// The sync service, on request.
        case service
        /// The sync service, whose last report this is.
        case endingService
    }

    /// How it ended.
    public enum End: String, Sendable, Hashable, Codable {
        case complete
        /// It was stopped.
        case stopped
        /// It was stopped before it had reached the gateway.
        case stoppedOffline
    }

    /// Photos and other files that went over the wire.
    public struct Photos: Sendable, Hashable, Codable {
        public var count = 0
        public var bytes: UInt64 = 0

        public init() {}
    }

    public init() {}
}
