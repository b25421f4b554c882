import DocumentValues

/// The state of a replicator that callers can read at any time, and whether it runs.
///
/// Both are one value under one lock: a caller that reads `stopped` can start again, and after a start no caller reads
/// it any more.
struct RunState {
    /// One run: from a start to `stopped`.
    struct Run: Sendable, Hashable {
        let number: Int
        let resets: Bool
    }

    private enum Life {
        case stopped
        case running
        /// A stop was requested and is not done yet; `next` is set if a start was requested since.
        case stopping(next: Run?)
    }

    private(set) var status = Replicator.Status.initial
    var serverCertificate: Certificate?
    var correlationID: String?
    var gatewayDate: String?
    /// Optional collections that the gateway of the present, or last, connection does not have.
    var missingCollections: [CollectionName] = []
    private var life = Life.stopped
    private var runs = 0
    /// A reset was requested, and the checkpoints are not reset yet: the request stays even if the run was stopped before
    /// that. A run that begins takes it along in `resets`.
    private var owesReset = false

    var isStopping: Bool {
        switch life {
        case .stopping: true
        case .stopped, .running: false
        }
    }

    /// - Returns: the run that begins now; `nil` if one is running, or is stopping: then the next one follows it.
    mutating func start(resets: Bool) -> Run? {
        switch life {
        case .running: return nil
        case .stopping:
            life = .stopping(next: newRun(resets: resets))
            return nil
        case .stopped:
            life = .running
            return newRun(resets: resets)
        }
    }

    /// - Returns: the run that has to end, if there is one.
    mutating func stop() -> Int? {
        switch life {
        case .stopped: return nil
        case .running, .stopping:
            life = .stopping(next: nil)
            return runs
        }
    }

    /// For the next run.
    ///
    /// - Returns: false if it was refused, because a run is not over.
    mutating func requestReset() -> Bool {
        guard status.activity == .stopped else { return false }
        owesReset = true
        return true
    }

    mutating func report(_ status: Replicator.Status) { self.status = status }

    /// The checkpoints are reset.
    mutating func resetIsStored() { owesReset = false }

    /// The run has ended with this status.
    ///
    /// - Parameter release: called before callers can read the status, but not if another run follows at once.
    /// - Returns: the run that follows.
    mutating func end(_ status: Replicator.Status, release: () -> Void) -> Run? {
        if case .stopping(let next?) = life {
            life = .running
            self.status = Replicator.Status(activity: .connecting, progress: .zero)
            return next
        }
        release()
        life = .stopped
        self.status = status
        return nil
    }

    private mutating func newRun(resets: Bool) -> Run {
        runs += 1
        owesReset = owesReset || resets
        return Run(number: runs, resets: owesReset)
    }
}
