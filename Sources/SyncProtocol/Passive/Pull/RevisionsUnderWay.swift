/// The revisions that are on their way for all collections of a session: they share one line, and the memory for it.
struct RevisionsUnderWay: Sendable {
    /// What the driver is to load at once.
    struct Load: Sendable, Equatable {
        let count: Int
        /// What it comes to, about.
        let bytes: Int
        /// Bytes after which the driver loads no further revision.
        let limit: Int
    }

    /// Bytes that may be loaded beside those that are held already.
    var room = Int.max
    /// The client has said that it understands differences.
    var clientTakesDeltas = false
    /// Batches that are announced and not dealt with to the end.
    private(set) var openBatches = 0
    /// Bytes of revisions that are not on their way yet.
    private(set) var unsentBytes = 0
    /// What is being loaded.
    private var loadingBytes = 0
    private var loadingCount = 0
    /// What was sent as a difference and is not answered.
    private(set) var openDeltas = 0
    private var sizes = LoadSizeEstimator()

    /// Bytes that are loaded or about to be, and not on their way yet.
    var bytes: Int { unsentBytes + loadingBytes }

    // MARK: - Batches

    var hasRoomForBatch: Bool { openBatches < PassiveLimits.openChanges }

    mutating func batchOpened() { openBatches += 1 }

    mutating func batchEnded() { openBatches -= 1 }

    // MARK: - Loads

    /// - Parameter wanted: revisions that the client has asked for.
    /// - Returns: what to load; `nil` while it has to wait for others to be on their way.
    mutating func beginLoad(of wanted: Int) -> Load? {
        guard let limit = bytesToLoad else { return nil }
        let count = min(wanted, sizes.count(within: limit))
        let load = Load(count: count, bytes: min(limit, sizes.bytes(of: count)), limit: limit)
        loadingCount += count
        loadingBytes += load.bytes
        room -= load.bytes
        return load
    }

    /// Without room a client still gets a little at a time: it is not to wait for others that do not read.
    private var bytesToLoad: Int? {
        let wanted = min(PassiveLimits.loadedBytes, room)
        if wanted >= PassiveLimits.leastLoadedBytes { return unsentBytes < PassiveLimits.unsentBytes ? wanted : nil }
        return bytes == 0 ? PassiveLimits.leastLoadedBytes : nil
    }

    mutating func loadEnded(_ load: Load) {
        loadingCount -= load.count
        loadingBytes -= load.bytes
    }

    mutating func note(_ loaded: [LoadedRevision]) { sizes.note(loaded) }

    // MARK: - Revisions

    mutating func willSend(_ bytes: Int) { unsentBytes += bytes }

    mutating func sent(_ bytes: Int) { unsentBytes -= bytes }

    /// How many more revisions may be asked for as differences: whatever is being loaded may become one, too.
    var roomForDeltas: Int { clientTakesDeltas ? PassiveLimits.openDeltas - openDeltas - loadingCount : 0 }

    mutating func deltaSent() { openDeltas += 1 }

    mutating func deltaAnswered() { openDeltas -= 1 }
}
