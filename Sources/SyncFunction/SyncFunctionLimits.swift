/// Bounds of what a sync function may take.
package enum SyncFunctionLimits {
    /// Wall-clock time for one call.
    package static let timeout = Duration.seconds(10)
    /// Address space of a worker process, its program included.
    package static let workerMemory: UInt = 1 << 30
    /// Calls in one trip to a worker: beyond it the gain of a longer batch is lost in its latency.
    static let batch = 64
    /// Bytes of documents in one trip.
    static let batchBytes = 4 << 20
    /// Bytes of one frame between the processes.
    static let frame = 128 << 20
    /// Functions that a worker keeps compiled; then it is replaced.
    static let compiledFunctions = 1_000
}
