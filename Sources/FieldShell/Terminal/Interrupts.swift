import Dispatch
import Glibc
import Synchronization

/// Ctrl-C stops the present work, not the program: the code at work sets the handler. Without a handler it ends the
/// program, as usual.
final class Interrupts: Sendable {
    static let shared = Interrupts()

    /// What to do; called on a queue of its own.
    typealias Handler = @Sendable () -> Void

    private struct State {
        var handlers: [(id: UInt64, handler: Handler)] = []
        var last: UInt64 = 0
        /// The former action of the signal; `nil` while that one is set.
        var replaced: sigaction?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "fieldbook.interrupts")
    // The signal's handler may do next to nothing: it writes here, and the source reads it.
    fileprivate static let signals = WakePipe()
    private nonisolated(unsafe) let source: any DispatchSourceRead

    private init() {
        source = DispatchSource.makeReadSource(fileDescriptor: Self.signals.end, queue: queue)
        source.setEventHandler { [self] in
            Self.signals.drain()
            state.withLock { $0.handlers.last?.handler }?()
        }
        source.activate()
    }

    /// Has Ctrl-C do something else until the token is removed; the newest goes first.
    func handle(_ handler: @escaping Handler) -> Token {
        state.withLock { state in
            state.last += 1
            state.handlers.append((state.last, handler))
            if state.handlers.count == 1 { state.replaced = Self.catchSignal() }
            return Token(id: state.last)
        }
    }

    struct Token: Sendable {
        fileprivate let id: UInt64

        func remove() {
            Interrupts.shared.state.withLock { state in
                state.handlers.removeAll { $0.id == id }
                guard state.handlers.isEmpty, var replaced = state.replaced else { return }
                sigaction(SIGINT, &replaced, nil)
                state.replaced = nil
            }
        }
    }

    /// - Returns: the former action of the signal; `nil` if it is ignored and stays so, as of a job that a script has put
    ///   into the background.
    private static func catchSignal() -> sigaction? {
        var (present, own) = (sigaction(), sigaction())
        sigaction(SIGINT, nil, &present)
        guard !present.isIgnored else { return nil }
        own.__sigaction_handler.sa_handler = countInterrupt
        sigaction(SIGINT, &own, nil)
        return present
    }
}

private func countInterrupt(_ number: Int32) { Interrupts.signals.wake() }

/// Reads typed input, until Ctrl-C.
final class InterruptibleInput: Sendable {
    // Never closed: a handler that is just running may still write.
    private static let wakeUp = WakePipe()

    private let token: Interrupts.Token
    private let wasInterrupted = Atomic(false)

    var isInterrupted: Bool { wasInterrupted.load(ordering: .relaxed) }

    init() {
        Self.wakeUp.drain()
        token = Interrupts.shared.handle { Self.wakeUp.wake() }
    }

    deinit { token.remove() }

    /// The next byte of a descriptor; `nil` at its end, after Ctrl-C, and where a signal ends the line.
    ///
    /// - Parameter signals: are acted on while the byte is waited for.
    func byte(of input: Int32, actingOn signals: LineSignals? = nil) -> UInt8? {
        while !isInterrupted {
            var waits = [input, Self.wakeUp.end, LineSignals.end].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if poll(&waits, signals == nil ? 2 : 3, -1) < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if waits[1].revents != 0 {
                wasInterrupted.store(true, ordering: .relaxed)
                break
            }
            if waits[2].revents != 0 {
                guard signals?.act() != false else { return nil }
                continue
            }
            var byte: UInt8 = 0
            let count = read(input, &byte, 1)
            if count == 1 { return byte }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return nil
        }
        return nil
    }
}
