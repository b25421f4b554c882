/// The limits of a JSON text.
public enum JSONLimits {
    /// Levels of nesting; deeper text is refused so that a hostile document cannot exhaust the stack.
    ///
    /// The script engine reads no more, nor do newer versions of SQLite. Reading, writing and comparing are loops, but
    /// Swift releases a value in memory by nested calls, some 250 bytes of stack for each level.
    public static let depth = 1000
    /// Levels that an answer with documents in it may have: those of a list around a document.
    public static let answerDepth = depth + 8
}
