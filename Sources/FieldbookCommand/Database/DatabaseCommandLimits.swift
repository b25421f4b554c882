/// Bounds of what `fieldbook db` reads and writes at once.
enum DatabaseCommandLimits {
    /// Lines that are written together: enough for speed.
    static let linesAtOnce = 100
    /// Rows that the widths of columns are taken of: about two screens, which are held until they are read.
    static let rowsForWidths = 100
    /// Cells of a column: with one of a text of megabytes each other row would have as many blanks.
    static let widestColumn = 60
    /// Bytes of a line of documents: 20 MB, with six for each where all is written as `\\u0041`.
    static let longestLine = 130 << 20
    /// Documents of one transaction: enough for speed; it keeps other writers out while it lasts.
    static let documentsPerTransaction = 5_000
    /// Seconds that a query which comes in a line may look for its rows.
    static let secondsOfLine = 60.0
}
