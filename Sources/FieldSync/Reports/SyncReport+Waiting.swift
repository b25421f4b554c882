extension SyncReport {
    /// The contents of the quarantine and of the outbox for which a person has to decide.
    public struct Waiting: Sendable, Hashable, Codable {
        /// Edits that the sync has put into the quarantine.
        public var quarantined = 0
        /// Edits that are in the quarantine after the sync; `nil` in a report of an earlier version.
        public var inQuarantine: Int?
        /// Records that are in the outbox after the sync, without a decision about them.
        public var refused = 0
        /// The deletions among them; `nil` in a report of an earlier version.
        public var refusedDeletions: Int?
        /// Records of other users that the gateway has lost, and that their laptops will send again.
        @LaterMember public var awaited = 0

        public init() {}
    }
}
