/// The sizes of the last revisions, to request only as many as the memory has room for.
struct RevisionSizes: Sendable {
    private var mean: Int?

    /// Documents of a collection are mostly alike: a large one raises the estimate at once, and its effect fades
    /// slowly.
    mutating func note(_ bytes: Int) {
        guard let mean else { return self.mean = bytes }
        self.mean = max(bytes, mean - (mean - bytes) / 8)
    }

    /// The number of open requests from which on no more revisions are requested.
    var requests: Int {
        guard let mean else { return SyncLimits.rowsPerBatch }
        return min(max(ActiveLimits.requestedBytes / max(mean, 1), 1), ActiveLimits.requestedRevisions)
    }
}
