import Glibc

/// How long a process has computed, on all processors; what else the machine does takes none of it.
struct ProcessTime {
    private let clock: clockid_t

    /// - Parameter process: a child that nobody has waited for yet.
    init(of process: pid_t) {
        var clock = clockid_t()
        // Fails for a process that is not there only.
        _ = clock_getcpuclockid(process, &clock)
        self.clock = clock
    }

    var now: Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
