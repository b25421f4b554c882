import DocumentValues

/// An import that the database stopped half-way. The records written before are kept, and the same import continues
/// after them.
public struct ImportInterruption: UserFacingError, Sendable {
    /// Counts only stored records.
    public let report: ImportReport
    /// Records that are done, of all that the files hold.
    public let completed: Int
    public let total: Int
    public let cause: any Error

    public var description: String {
        let stored = report.counts.filter { $0.done > 0 }.map { "\($0.done) \($0.records)" }
        let list = stored.isEmpty ? "" : ": " + stored.joined(separator: ", ")
        return "\(cause)\nThe import stopped half-way. \(completed) of \(total) records are stored\(list). "
            + "Run the same import again when that is solved: it goes on from there, and nothing is imported twice."
    }
}
