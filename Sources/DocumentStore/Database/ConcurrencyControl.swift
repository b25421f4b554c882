/// What to do when the document has been changed by somebody else since it was read.
public enum ConcurrencyControl: UInt8, Sendable {
    /// What is saved last replaces what somebody else has saved.
    case lastWriteWins = 0
    /// Where somebody else has saved, nothing is saved, and the answer is false.
    case failOnConflict
}
