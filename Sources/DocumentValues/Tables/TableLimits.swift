/// The limits of tables.
enum TableLimits {
    /// Bytes of a field before a quotation mark that is never closed is taken for a mistake.
    static let csvField = 1024 * 1024
}
