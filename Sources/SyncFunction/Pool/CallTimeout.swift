/// How long is waited for the answer to a call.
///
/// A worker that is wanted for others is taken from a call that has had its share by the clock, but only once it has
/// computed for a while: on a busy machine a worker may hardly have come to that, and a quick call is not slow for it.
struct CallTimeout {
    enum Verdict: Equatable {
        /// There may be an answer after this time, or another verdict.
        case wait(Duration)
        /// Others want the worker.
        case cut
        /// The call has had all its time.
        case tooSlow
    }

    /// By the clock, whatever the worker did meanwhile: others wait.
    let limit: Duration
    /// The same where the worker is wanted for others.
    let share: Duration
    /// How long the worker has to have computed for that.
    let work: Duration

    /// - Parameters:
    ///   - limit: for a call that has no time of its own.
    ///   - cut: `nil` where nobody else wants the worker.
    init(for call: PendingCall, within limit: Duration, cutAfter cut: Duration?) {
        let time = call.time ?? limit
        self.limit = time + call.readingTime
        share = min(time, cut ?? time) + call.readingTime
        work = SyncFunctionLimits.leastWork + call.readingTime
    }

    /// - Parameters:
    ///   - time: since the call's turn came, by the clock.
    ///   - worked: how long the worker has computed since.
    func verdict(after time: Duration, worked: Duration) -> Verdict {
        if time >= limit { return .tooSlow }
        if time < share { return .wait(share - time) }
        if worked >= work { return .cut }
        // It computes no faster than the clock goes.
        return .wait(min(limit - time, max(work - worked, SyncFunctionLimits.leastWait)))
    }
}
