/// The progress of a run, over all of its connections.
///
/// Documents that a lost connection had announced and not finished are announced again by the next one, and are not
/// counted twice. Until the next one has caught up, the total stays as it was, so that it does not fall and rise again.
struct RunProgress: Sendable, Hashable {
    /// Documents that were finished on former connections.
    private var completedBefore: UInt64 = 0
    /// The total that was reported last before a connection was lost.
    private var expected: UInt64 = 0
    private var completed: UInt64 = 0
    private var total: UInt64 = 0

    var progress: Replicator.Progress {
        Replicator.Progress(
            completed: completedBefore + completed, total: max(completedBefore + total, expected))
    }

    /// The present connection's numbers.
    ///
    /// - Parameter isCaughtUp: nothing is left to do. Documents that a lost connection had announced and this one has
    ///   not are gone, or known to the other side.
    mutating func connection(completed: UInt64, total: UInt64, isCaughtUp: Bool) {
        self.completed = completed
        self.total = total
        if isCaughtUp { expected = 0 }
    }

    mutating func connectionEnded(isFinished: Bool) {
        expected = isFinished ? 0 : progress.total
        completedBefore += completed
        completed = 0
        total = 0
    }
}
