/// Whether the driver reads from the connection: not while too much waits here.
struct ReadingGate: Sendable {
    private var isPaused = false

    /// Only work that ends without anything being read may stop the reading.
    ///
    /// - Parameters:
    ///   - storeBytes: what waits for the store, announcements included, and for the disk.
    ///   - jobs: how much such work the driver is at.
    /// - Returns: what the driver has to do, where that is something new.
    mutating func adjust(storeBytes: Int, jobs: Int) -> PassiveAction? {
        if !isPaused, storeBytes > PassiveLimits.storeBytes || jobs > PassiveLimits.jobs {
            isPaused = true
            return .pauseReading
        }
        if isPaused, storeBytes <= PassiveLimits.storeBytesToResume, jobs <= PassiveLimits.jobs / 2 {
            isPaused = false
            return .resumeReading
        }
        return nil
    }
}
