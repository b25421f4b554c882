import DocumentValues

/// A part of the documents after a sequence, in the order of their sequences.
package struct LocalChangeBatch: Sendable {
    package let changes: [LocalChange]
    /// Those that are damaged, which the remote may not have either.
    package let unreadable: [UnreadableDocument]
    /// Everything up to this sequence has been looked at; where to go on.
    package let through: UInt64
    /// Nothing follows for now.
    package let isCaughtUp: Bool
}
