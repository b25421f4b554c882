/// What anybody may ask of a replicator at any time, and whether it runs.
///
/// Both are one value under one lock: who sees `stopped` may start again, and who has started does not see it any more.
struct KnownState {
    /// One run: from a start to `stopped`.
    struct Run: Sendable, Hashable {
        let number: Int
        let resets: Bool
    }

    private enum Life {
        case stopped
        case running
        /// Asked to stop, and not there yet; perhaps asked to start again meanwhile.
        case stopping(next: Run?)
    }

    private(set) var status = Replicator.Status.initial
    var serverCertificate: Certificate?
    var correlationID: String?
    var gatewayDate: String?
    private var life = Life.stopped
    private var runs = 0
    /// Everything is to be compared, and the checkpoints do not say so yet: what was asked for stays asked for, also where
    /// the run was stopped before it got to that.
    private var owesReset = false

    var isStopping: Bool {
        switch life {
        case .stopping: true
        case .stopped, .running: false
        }
    }

    /// - Returns: the run that begins now; `nil` if one goes on already, or is ending: then the next one follows it.
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

    /// - Returns: the run that is to end, of which there may be none.
    mutating func stop() -> Int? {
        switch life {
        case .stopped: return nil
        case .running, .stopping:
            life = .stopping(next: nil)
            return runs
        }
    }

    mutating func report(_ status: Replicator.Status) { self.status = status }

    /// The checkpoints say that everything is to be compared.
    mutating func resetIsStored() { owesReset = false }

    /// The run has ended with this status.
    ///
    /// - Parameter release: is called before anybody can see the status, and not if another run follows at once.
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
