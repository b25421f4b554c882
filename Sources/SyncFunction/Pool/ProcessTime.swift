import Glibc

/// How long a process has computed, on all processors; other work of the machine does not count.
struct ProcessTime {
    private let clock: clockid_t

    /// - Parameter process: a child whose end was not waited for yet.
    init(of process: pid_t) {
        var clock = clockid_t()
        // Fails only for a process that does not exist.
        _ = clock_getcpuclockid(process, &clock)
        self.clock = clock
    }

    var now: Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
