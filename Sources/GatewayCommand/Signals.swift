import Dispatch
import Glibc
import ServiceLifecycle
import UnixSignals

/// The first SIGTERM is for the service group; a second one ends the program at once.
enum SecondSignal {
    /// Lives as long as the process; its handler runs on one queue.
    nonisolated(unsafe) private static let source = DispatchSource.makeSignalSource(
        signal: SIGTERM, queue: DispatchQueue(label: "second-signal"))

    static func endsTheProcess() {
        nonisolated(unsafe) var count = 0
        source.setEventHandler {
            count += 1
            if count > 1 { _exit(1) }
        }
        source.resume()
    }
}

/// Does something with each SIGHUP.
struct HangUp: Service {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        for await _ in signals.cancelOnGracefulShutdown() { action() }
    }
}
