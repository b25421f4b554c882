import Glibc

/// Signals that change the terminal, or end the program, while a line is typed.
///
/// They arrive in any thread, and the line is read in one of its own, whose library is not made for two. So a handler
/// only writes the number into a pipe, and the thread that reads acts on it while it waits for the next key.
final class LineSignals: Sendable {
    static let handled = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGQUIT]

    // Never closed: a handler that is just running may still write.
    fileprivate static let arrived = WakePipe()
    /// Readable when a signal has arrived.
    static var end: Int32 { arrived.end }

    private let replaced: [(number: Int32, action: sigaction)]
    private let take: @Sendable (_ number: Int32) -> Bool

    /// Takes the signals over, but for those that are ignored: `nohup` keeps a program from being hung up.
    ///
    /// - Parameter take: returns whether the line goes on.
    init(take: @escaping @Sendable (_ number: Int32) -> Bool) {
        self.take = take
        // Made here, since a handler must not.
        Self.arrived.drain()
        replaced = Self.handled.compactMap { number in
            var (present, own) = (sigaction(), sigaction())
            sigaction(number, nil, &present)
            guard !present.isIgnored else { return nil }
            own.__sigaction_handler.sa_handler = noteSignal
            own.sa_flags = SA_RESTART
            sigaction(number, &own, nil)
            return (number, present)
        }
    }

    /// Acts on the signals that have arrived: once on each number, since a window that is dragged changes its size many
    /// times.
    ///
    /// - Returns: whether the line goes on.
    func act() -> Bool {
        var taken: Set<UInt8> = []
        return Self.arrived.drain().allSatisfy { !taken.insert($0).inserted || take(Int32($0)) }
    }

    /// Puts the former handlers back. They get the signals that have arrived, and were not acted on yet.
    func putBack() {
        for (number, action) in replaced {
            var action = action
            sigaction(number, &action, nil)
        }
        let left = Set(Self.arrived.drain().map(Int32.init)).subtracting([SIGWINCH, SIGCONT])
        for number in left { kill(getpid(), number) }
    }

    /// Has the system act as without a handler: stop the program or end it.
    ///
    /// - Returns: when the program goes on; at once where the system does not stop it, as in a group of processes that no
    ///   shell looks after.
    static func actAsWithoutHandler(_ number: Int32) {
        var (present, none) = (sigaction(), sigaction())
        none.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(number, &none, &present)
        // Threads of a pool have all signals blocked: this one would wait for the main thread's.
        var (this, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&this)
        sigaddset(&this, number)
        pthread_sigmask(SIG_UNBLOCK, &this, &blocked)
        raise(number)
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        sigaction(number, &present, nil)
    }
}

extension sigaction {
    var isIgnored: Bool {
        unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

private func noteSignal(_ number: Int32) { LineSignals.arrived.wake(UInt8(truncatingIfNeeded: number)) }
