extension SyncReport {
    /// What is in the quarantine and in the outbox, and is to be decided about.
    public struct Waiting: Sendable, Hashable, Codable {
        /// Edits that the sync has put into the quarantine.
        public var quarantined = 0
        /// Those that are there at the end; `nil` where an earlier version has counted.
        public var inQuarantine: Int?
        /// Records in the outbox at the end of which nobody has said what is to become of them.
        public var refused = 0
        /// Of those, the deletions; `nil` where an earlier version has counted.
        public var refusedDeletions: Int?
        /// Records of others that the gateway has lost, and that come back from their laptops.
        @LaterMember public var awaited = 0

        public init() {}
    }
}
