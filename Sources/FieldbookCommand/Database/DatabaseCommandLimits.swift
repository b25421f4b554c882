/// Bounds of what `fieldbook db` reads and writes at once.
enum DatabaseCommandLimits {
    /// Lines of one write: enough for speed.
    static let linesAtOnce = 100
    /// The first rows, which decide on the widths of columns: about two screens. No row is written before all of them
    /// are read.
    static let rowsForWidths = 100
    /// The most characters of a column: a single text of megabytes would fill each other row with as many blanks.
    static let widestColumn = 60
    /// Bytes of a line of documents: a document has up to 20 MB, and each byte may be written as six, such as
    /// `\\u0041`.
    static let longestLine = 130 << 20
    /// Documents of one transaction: enough for speed, and other writers have to wait for its end.
    static let documentsPerTransaction = 5_000
    /// Time limit, in seconds, of a query that was read from a line of input.
    static let secondsOfLine = 60.0
}
