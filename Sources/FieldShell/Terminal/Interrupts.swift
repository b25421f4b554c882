import Dispatch
import Glibc
import Synchronization

/// Ctrl-C stops what is being done, not the program: the code at work sets what it does. Without that it ends the
/// program, as usual.
final class Interrupts: Sendable {
    static let shared = Interrupts()

    /// What to do; called on a queue of its own.
    typealias Handler = @Sendable () -> Void

    private struct State {
        var handlers: [(id: UInt64, handler: Handler)] = []
        var last: UInt64 = 0
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
            if state.handlers.count == 1 { Self.setSignal(catching: true) }
            return Token(id: state.last)
        }
    }

    struct Token: Sendable {
        fileprivate let id: UInt64

        func remove() {
            Interrupts.shared.state.withLock { state in
                state.handlers.removeAll { $0.id == id }
                if state.handlers.isEmpty { Interrupts.setSignal(catching: false) }
            }
        }
    }

    private static func setSignal(catching: Bool) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = catching ? countInterrupt : SIG_DFL
        sigaction(SIGINT, &action, nil)
    }
}

private func countInterrupt(_ number: Int32) { Interrupts.signals.wake() }

/// Reads what is typed, until Ctrl-C.
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

    /// The next byte of a descriptor; `nil` at its end and after Ctrl-C.
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
                signals?.act()
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
