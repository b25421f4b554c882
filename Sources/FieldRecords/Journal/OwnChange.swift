import DocumentValues

/// A person's change of a record on this laptop, as it was saved.
public struct OwnChange: Sendable, Hashable {
    public let record: RecordReference
    /// `nil` for a new record.
    public let before: JSONObject?
    /// `nil` for a deletion.
    public let after: JSONObject?

    public init(_ record: RecordReference, before: JSONObject?, after: JSONObject?) {
        self.record = record
        self.before = before
        self.after = after
    }
}
