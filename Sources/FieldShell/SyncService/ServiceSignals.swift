import Dispatch
import FieldSync
import Foundation
import Glibc

/// Requests of a terminal and of systemd to the sync service, by signals and by the clock; they end with `cancel()`.
final class ServiceSignals {
    private let control: ServiceControl
    private let queue = DispatchQueue(label: "fieldbook.service-signals")
    private var interrupt: Interrupts.Token?
    private var hangUp: (any DispatchSourceSignal)?
    private var watchdog: (any DispatchSourceTimer)?

    init(_ control: ServiceControl) { self.control = control }

    /// Ctrl-C in a shell.
    func catchInterrupt() {
        interrupt = Interrupts.shared.handle { [control] in
            // Behind the ^C that the terminal has just shown.
            Terminal.write("\n", to: STDERR_FILENO)
            control.stop()
        }
    }

    /// SIGHUP means a reload, or that the terminal is gone in which the service was started by hand.
    func catchHangUp() {
        let hadTerminal = Self.hasTerminal
        Glibc.signal(SIGHUP, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue)
        source.setEventHandler { [control] in
            if hadTerminal && !Self.hasTerminal { control.stop() } else { control.reload() }
        }
        source.activate()
        hangUp = source
    }

    private static var hasTerminal: Bool {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    /// - Parameter interval: within which systemd wants to hear something.
    func proveLife(within interval: TimeInterval) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: interval / 2, leeway: .milliseconds(100))
        timer.setEventHandler { [control] in control.proveLife() }
        timer.activate()
        watchdog = timer
    }

    func cancel() {
        interrupt?.remove()
        watchdog?.cancel()
        guard let hangUp else { return }
        hangUp.cancel()
        Glibc.signal(SIGHUP, SIG_DFL)
    }
}
