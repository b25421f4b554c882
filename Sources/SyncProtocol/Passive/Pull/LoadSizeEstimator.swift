/// Guesses how many revisions a load of the wanted size comes to, from the sizes of the last ones.
struct LoadSizeEstimator: Sendable {
    private var bytesPerRevision = PassiveLimits.assumedRevisionBytes

    /// How many revisions come to so many bytes, at least one.
    func count(within bytes: Int) -> Int {
        max(1, min(PassiveLimits.loadedRevisions, bytes / max(1, bytesPerRevision)))
    }

    /// What so many revisions come to.
    func bytes(of count: Int) -> Int { count * bytesPerRevision }

    /// Differences say nothing of the size of the next revision, which may have to be sent whole.
    mutating func note(_ loaded: [LoadedRevision]) {
        let sizes = loaded.filter { !$0.isDelta }.map(\.bodyCount)
        guard !sizes.isEmpty else { return }
        let average = sizes.reduce(0, +) / sizes.count
        // Up at once, down by halves: large documents often come in runs.
        bytesPerRevision = max(average, bytesPerRevision / 2)
    }
}
