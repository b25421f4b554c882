/// What revisions have come to of late, for asking for as many as memory has room for.
struct RevisionSizes: Sendable {
    private var mean: Int?

    /// Documents of a collection are mostly alike; a large one counts at once, and is forgotten slowly.
    mutating func note(_ bytes: Int) {
        guard let mean else { return self.mean = bytes }
        self.mean = max(bytes, mean - (mean - bytes) / 8)
    }

    /// How many revisions may be under way above which no more are asked for.
    var requests: Int {
        guard let mean else { return SyncLimits.rowsPerBatch }
        return min(max(ActiveLimits.requestedBytes / max(mean, 1), 1), ActiveLimits.requestedRevisions)
    }
}
