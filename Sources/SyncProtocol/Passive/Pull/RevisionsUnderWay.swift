/// The revisions that are being sent for all collections of a session: they share one line, and the memory for it.
struct RevisionsUnderWay: Sendable {
    /// One load of the driver.
    struct Load: Sendable, Equatable {
        let count: Int
        /// The estimated size of the load.
        let bytes: Int
        /// Bytes after which the driver loads no further revision.
        let limit: Int
    }

    /// Bytes that may be loaded in addition to those that are held already.
    var room = Int.max
    /// The client has offered to accept differences.
    var clientTakesDeltas = false
    /// Announced batches whose revisions have not all been sent.
    private(set) var openBatches = 0
    /// Bytes of loaded revisions that are not sent yet.
    private(set) var unsentBytes = 0
    /// The estimated bytes of revisions that are being loaded.
    private var loadingBytes = 0
    private var loadingCount = 0
    /// Differences that were sent and not answered.
    private(set) var openDeltas = 0
    private var sizes = LoadSizeEstimator()

    /// Bytes of revisions that are loaded or being loaded, and not sent yet.
    var bytes: Int { unsentBytes + loadingBytes }

    // MARK: - Batches

    var hasRoomForBatch: Bool { openBatches < PassiveLimits.openChanges }

    mutating func batchOpened() { openBatches += 1 }

    mutating func batchEnded() { openBatches -= 1 }

    // MARK: - Loads

    /// - Parameter wanted: the number of revisions that the client has requested.
    /// - Returns: the next load; `nil` while others have to be sent first.
    mutating func beginLoad(of wanted: Int) -> Load? {
        guard let limit = bytesToLoad else { return nil }
        let count = min(wanted, sizes.count(within: limit))
        let load = Load(count: count, bytes: min(limit, sizes.bytes(of: count)), limit: limit)
        loadingCount += count
        loadingBytes += load.bytes
        room -= load.bytes
        return load
    }

    /// Without room, a client still gets a little at a time: it must not have to wait for others that do not read.
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

    /// How many more revisions may be loaded as differences. Those that are being loaded may become differences, too.
    var roomForDeltas: Int { clientTakesDeltas ? PassiveLimits.openDeltas - openDeltas - loadingCount : 0 }

    mutating func deltaSent() { openDeltas += 1 }

    mutating func deltaAnswered() { openDeltas -= 1 }
}
