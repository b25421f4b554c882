import Dispatch
import DocumentStore
import FieldSync
import Foundation
import Glibc
import Replication

/// What comes to the sync service from outside.
enum ServiceInput: Sendable {
    case event(ServicePolicy.Event)
    /// - Parameter number: which replicator reports it.
    case news(ServicePolicy.News, error: (any Error)?, of: Int)
    case requestsCame
    case alarm(Int)
    /// Proof that the service gets round to its requests.
    case proveLife
}

/// Everything that wakes the service: files, the network, signals and clocks; all of it ends with `cancel()`.
final class ServiceSources {
    typealias Feed = @Sendable (ServiceInput) -> Void

    private let feed: Feed
    private let queue = DispatchQueue(label: "fieldbook.sync-service")
    private var watches: [FolderWatch] = []
    private var network: ListenerToken?
    private var interrupt: Interrupts.Token?
    private var signals: (any DispatchSourceSignal)?
    private var watchdog: (any DispatchSourceTimer)?

    init(_ feed: @escaping Feed) { self.feed = feed }

    func watchFiles(_ folder: ServiceFolder, signIn: SignInSource) throws {
        let feed = feed
        watches.append(
            try FolderWatch(folder.url) { if ServiceFolder.isRequest($0) { feed(.requestsCame) } })
        for file in signIn.files {
            watches.append(
                try FolderWatch(file.folder) { [name = file.name] in if $0 == name { feed(.event(.signInChanged)) } })
        }
    }

    /// - Throws: if the system does not let us know.
    func watchNetwork() throws {
        network = try RouteWatcher().watch { [feed] in if $0 == .better { feed(.event(.networkCameBack)) } }
    }

    /// Ctrl-C in a shell.
    func catchInterrupt() {
        interrupt = Interrupts.shared.handle { [feed] in
            // Behind the ^C that the terminal has just shown.
            Terminal.write("\n", to: STDERR_FILENO)
            feed(.event(.stopAsked))
        }
    }

    /// SIGHUP means a reload, or that the terminal is gone in which the service was started by hand.
    func catchHangUp() {
        let hadTerminal = Self.hasTerminal
        Glibc.signal(SIGHUP, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue)
        source.setEventHandler { [feed] in
            feed(.event(hadTerminal && !Self.hasTerminal ? .stopAsked : .reloadAsked))
        }
        source.activate()
        signals = source
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
        timer.setEventHandler { [feed] in feed(.proveLife) }
        timer.activate()
        watchdog = timer
    }

    func send(_ input: ServiceInput, after seconds: TimeInterval) {
        queue.asyncAfter(deadline: .now() + seconds) { [feed] in feed(input) }
    }

    func cancel() {
        watches.forEach { $0.cancel() }
        network?.remove()
        interrupt?.remove()
        watchdog?.cancel()
        guard let signals else { return }
        signals.cancel()
        Glibc.signal(SIGHUP, SIG_DFL)
    }
}
