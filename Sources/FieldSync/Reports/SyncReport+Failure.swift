import FieldRecords

extension SyncReport {
    /// A record that did not go over the wire, or was refused.
    public struct Failure: Sendable, Hashable, Codable {
        public let isPush: Bool
        public let reference: RecordReference
        public internal(set) var message: String
        /// What people know the record by.
        public internal(set) var title: String?
        /// What was to be sent, of what is in the outbox.
        public internal(set) var change: RefusedRecord.Change?
        public let code: Int
        /// What the gateway said.
        var reason: String?

        /// Earlier versions have written `words`, and a laptop's notes last longer than a version.
        private enum CodingKeys: String, CodingKey {
            case isPush
            case reference
            case message = "words"
            case title
            case change
            case code
            case reason
        }

        /// The record was changed on the other side.
        var isConflict: Bool { isPush && code % 10_000 == 409 }
    }
}
