/// How long to wait for the answer to a call.
///
/// If the worker is needed for others, a call is cut off after its share of time on the clock, but only once the worker
/// has computed for a while: on a busy machine it may hardly have had a processor, and a quick call must not count as
/// slow because of that.
struct CallTimeout {
    enum Verdict: Equatable {
        /// Wait for this time, then ask again.
        case wait(Duration)
        /// Others need the worker.
        case cut
        /// The call has had all its time.
        case tooSlow
    }

    /// By the clock, whether or not the worker has computed, because others are waiting.
    let limit: Duration
    /// The same if the worker is needed for others.
    let share: Duration
    /// How long the worker must have computed before that.
    let work: Duration

    /// - Parameters:
    ///   - limit: for a call that has no time of its own.
    ///   - cut: `nil` if no other caller needs the worker.
    init(for call: PendingCall, within limit: Duration, cutAfter cut: Duration?) {
        let time = call.time ?? limit
        self.limit = time + call.readingTime
        share = min(time, cut ?? time) + call.readingTime
        work = SyncFunctionLimits.leastWork + call.readingTime
    }

    /// - Parameters:
    ///   - time: since the call's turn came, by the clock.
    ///   - worked: how long the worker has computed since then.
    func verdict(after time: Duration, worked: Duration) -> Verdict {
        if time >= limit { return .tooSlow }
        if time < share { return .wait(share - time) }
        if worked >= work { return .cut }
        // It cannot compute faster than the clock goes.
        return .wait(min(limit - time, max(work - worked, SyncFunctionLimits.leastWait)))
    }
}
