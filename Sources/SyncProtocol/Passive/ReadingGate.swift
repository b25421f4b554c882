/// Decides whether the driver reads from the connection: not while too much waits in the session.
struct ReadingGate: Sendable {
    private var isPaused = false

    /// Reads again, for a connection that is being closed: the answer to that has to be read.
    mutating func open() -> PassiveAction? {
        defer { isPaused = false }
        return isPaused ? .resumeReading : nil
    }

    /// Only work that ends without further reading may stop the reading; otherwise the session would hang.
    ///
    /// - Parameters:
    ///   - storeBytes: bytes that wait for the store, announcements included, and for the disk.
    ///   - jobs: the number of such jobs of the driver.
    /// - Returns: the action for the driver, if the decision has changed.
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
