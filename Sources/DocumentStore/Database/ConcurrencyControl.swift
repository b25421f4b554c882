/// What a save or a deletion does when the document was changed elsewhere since it was read.
public enum ConcurrencyControl: UInt8, Sendable {
    /// The last save wins: it replaces the other change.
    case lastWriteWins = 0
    /// Nothing is stored after another change, and the call returns false.
    case failOnConflict
}
