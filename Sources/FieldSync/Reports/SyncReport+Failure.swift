import FieldRecords

extension SyncReport {
    /// A record that could not be sent or received, or that was refused.
    public struct Failure: Sendable, Hashable, Codable {
        public let isPush: Bool
        public let reference: RecordReference
        public internal(set) var message: AdvisedText
        /// The name by which people know the record.
        public internal(set) var title: String?
        /// For a record in the outbox: the change that was to be sent.
        public internal(set) var change: RefusedRecord.Change?
        public let code: Int
        /// The reason that the gateway gave.
        var reason: String?

        /// Whether the record was changed on the other side.
        var isConflict: Bool { isPush && code % 10_000 == 409 }
    }
}

extension SyncReport.Failure {
    /// Earlier versions have written `words`, which include commands of the shell. A laptop keeps such notes after an update,
    /// so they must stay readable.
    private enum CodingKeys: String, CodingKey {
        case isPush
        case reference
        case message = "words"
        case advice
        case title
        case change
        case code
        case reason
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            isPush: try values.decode(Bool.self, forKey: .isPush),
            reference: try values.decode(RecordReference.self, forKey: .reference),
            message: try values.decodeText(forKey: .message, advice: .advice),
            title: try values.decodeIfPresent(String.self, forKey: .title),
            change: try values.decodeIfPresent(RefusedRecord.Change.self, forKey: .change),
            code: try values.decode(Int.self, forKey: .code),
            reason: try values.decodeIfPresent(String.self, forKey: .reason))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(isPush, forKey: .isPush)
        try values.encode(reference, forKey: .reference)
        try values.encode(message, forKey: .message, advice: .advice)
        try values.encodeIfPresent(title, forKey: .title)
        try values.encodeIfPresent(change, forKey: .change)
        try values.encode(code, forKey: .code)
        try values.encodeIfPresent(reason, forKey: .reason)
    }
}
