/// A document whose stored row is damaged, so that its change cannot be pushed.
package struct UnreadableDocument: Sendable, Hashable {
    package let sequence: UInt64
    @Exact package private(set) var documentID: String
    /// The error, for a person.
    @Exact package private(set) var reason: String

    package init(sequence: UInt64, documentID: String, reason: String) {
        self.sequence = sequence
        self.documentID = documentID
        self.reason = reason
    }
}
