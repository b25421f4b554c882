/// Estimates how many revisions make up a load of a given size, from the sizes of the last ones.
struct LoadSizeEstimator: Sendable {
    private var bytesPerRevision = PassiveLimits.assumedRevisionBytes

    /// How many revisions have so many bytes, at least one.
    func count(within bytes: Int) -> Int {
        max(1, min(PassiveLimits.loadedRevisions, bytes / max(1, bytesPerRevision)))
    }

    /// The estimated bytes of so many revisions.
    func bytes(of count: Int) -> Int { count * bytesPerRevision }

    /// Differences do not count: the next revision may have to be sent as a whole.
    mutating func note(_ loaded: [LoadedRevision]) {
        let sizes = loaded.filter { !$0.isDelta }.map(\.bodyCount)
        guard !sizes.isEmpty else { return }
        let average = sizes.reduce(0, +) / sizes.count
        // The estimate grows at once and shrinks by halves: large documents often come one after the other.
        bytesPerRevision = max(average, bytesPerRevision / 2)
    }
}
