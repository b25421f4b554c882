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
    private struct Members: NoteMembers {
        /// Earlier versions have written `words`, which include commands of the shell. A laptop keeps such notes after an
        /// update, so they must stay readable.
        static let textName = "words"

        let isPush: Bool
        let reference: RecordReference
        let title: String?
        let change: RefusedRecord.Change?
        let code: Int
        let reason: String?
    }

    public init(from decoder: any Decoder) throws {
        let read = try AdvisedMembers<Members>(from: decoder)
        self.init(
            isPush: read.others.isPush, reference: read.others.reference,
            message: try read.neededText(from: decoder), title: read.others.title, change: read.others.change,
            code: read.others.code, reason: read.others.reason)
    }

    public func encode(to encoder: any Encoder) throws {
        let members = Members(
            isPush: isPush, reference: reference, title: title, change: change, code: code, reason: reason)
        try AdvisedMembers(members, text: message).encode(to: encoder)
    }
}
