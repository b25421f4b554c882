import Dispatch
import DocumentStore
import Foundation
import Replication

/// The inputs of the sync service from outside.
enum ServiceInput: Sendable {
    case event(ServicePolicy.Event)
    /// - Parameter number: the number of the replicator.
    case replicator(Replicator.Status, number: Int)
    case requestsCame
    case alarm(Int)
    /// Proof that the service still handles its inputs.
    case proveLife
}

/// The sources that wake the service: files, the network and clocks; all of them end with `cancel()`.
final class ServiceSources {
    typealias Feed = @Sendable (ServiceInput) -> Void

    private let feed: Feed
    private let signIn: SignInSource
    private let queue = DispatchQueue(label: "fieldbook.sync-service")
    private var watches: [FolderWatch] = []
    private var network: ListenerToken?
    private var alarms = 0

    init(_ feed: @escaping Feed, signIn: SignInSource) {
        self.feed = feed
        self.signIn = signIn
    }

    func watchFiles(_ folder: ServiceFolder) throws {
        let feed = feed
        watches.append(
            try FolderWatch(folder.url) { if ServiceFolder.isRequest($0) { feed(.requestsCame) } })
        for file in signIn.files {
            watches.append(
                try FolderWatch(file.folder) { [name = file.name] in if $0 == name { feed(.event(.signInChanged)) } })
        }
    }

    /// - Throws: if the system does not report changes.
    func watchNetwork() throws {
        network = try RouteWatcher().watch { [feed] in if $0 == .better { feed(.event(.networkCameBack)) } }
    }

    /// Replaces an earlier alarm.
    func wake(after duration: Duration) {
        alarms += 1
        send(.alarm(alarms), after: duration / .seconds(1))
    }

    /// Whether no other alarm was set since.
    func isLatest(_ alarm: Int) -> Bool { alarm == alarms }

    func send(_ input: ServiceInput, after seconds: TimeInterval) {
        queue.asyncAfter(deadline: .now() + seconds) { [feed] in feed(input) }
    }

    func cancel() {
        watches.forEach { $0.cancel() }
        network?.remove()
    }
}
