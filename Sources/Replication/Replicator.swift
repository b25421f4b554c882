import BLIPTransport
import Dispatch
import DocumentStore
import Foundation
import SyncProtocol
import Synchronization

/// Replicates a database's collections with a gateway.
///
/// ```swift
/// let configuration = ReplicatorConfiguration(
///     collections: [CollectionConfiguration(collection: inspections)],
///     target: URLEndpoint(url: URL(string: "wss://sync.example.com/field")!))
/// let replicator = Replicator(config: configuration)
/// let token = replicator.addChangeListener { change in print(change.status.activity) }
/// replicator.start()
/// ```
///
/// It works until everything is exchanged, or, when continuous, until it is stopped. Connections that fail are made
/// again as its configuration says; each one is a session of its own. An error that does not pass by itself, such as a full
/// disk here or a refused sign-in, stops a continuous one, too; it is started again by ``start()``.
///
/// ## Topics
///
/// ### Running
/// - ``start()``
/// - ``start(reset:)``
/// - ``stop()``
/// - ``run()``
///
/// ### Watching
/// - ``status-swift.property``
/// - ``addChangeListener(_:)``
/// - ``statusChanges()``
/// - ``addDocumentReplicationListener(_:)``
/// - ``documentReplications()``
///
/// ### What is left to do
/// - ``pendingDocumentIds(collection:)``
/// - ``isDocumentPending(_:collection:)``
public final class Replicator: Sendable {
    /// A copy: changing the original has no effect.
    public let config: ReplicatorConfiguration
    let changeListeners = Listeners<ReplicatorChange>()
    let documentListeners = Listeners<DocumentReplication>()
    let conflictListeners = Listeners<ResolvedDocumentConflict>()
    let attachmentListeners = Listeners<TransferredAttachment>()
    let silenceListeners = Listeners<Int64>()
    /// Where listeners are called that name no queue.
    let deliveryQueue = DispatchQueue(label: "fieldbook.replicator.listeners")
    let known = Mutex(KnownState())
    let resetRequested = Mutex(false)
    let engine: ReplicatorEngine

    /// - Parameter config: if it makes no sense, `status.error` says so at once, with the error that
    ///   `config.validate()` throws; `start()` ends with the same.
    public convenience init(config: ReplicatorConfiguration) {
        self.init(config: config, environment: ReplicatorEnvironment())
    }

    init(config: ReplicatorConfiguration, environment: ReplicatorEnvironment) {
        self.config = config
        engine = ReplicatorEngine(config, environment: environment)
        engine.attach(self)
        do throws(ReplicationError) {
            try config.validate()
        } catch {
            known.withLock { $0.report(Status(activity: .stopped, progress: .zero, error: error)) }
        }
    }

    /// What it is doing now.
    ///
    /// Before `stopped` or `idle` is found here, all documents have been given, as far as document listeners without a queue of
    /// their own have returned within two seconds.
    public var status: Status { known.withLock { $0.status } }

    /// The gateway's certificate, once connected over TLS.
    public var serverCertificate: Certificate? { known.withLock { $0.serverCertificate } }

    /// Under what the gateway logs the present, or last, connection.
    public var correlationID: String? { known.withLock { $0.correlationID } }

    /// The header `Date` of the gateway's answer to the present, or last, handshake; `nil` where it sends none.
    package var gatewayDate: String? { known.withLock { $0.gatewayDate } }

    /// Starts, unless it runs already. What happens is reported to the listeners.
    ///
    /// When it returns, `status.activity` is `.connecting` and the database cannot be closed; where the configuration
    /// makes no sense or the database is closed, `status.error` says so. After `stop()`, while it is still stopping, it
    /// starts again as soon as it has, without being `.stopped` in between.
    public func start() { start(reset: false) }

    /// - Parameter reset: forget how far earlier replications have come, and compare everything again.
    public func start(reset: Bool) {
        let resets = resetRequested.withLock { requested in
            defer { requested = false }
            return requested || reset
        }
        engine.start(self, resets: resets)
    }

    /// Finds out soon whether the gateway is still at the other end of the connection, if there is one.
    package func checkConnection() { engine.check() }

    /// Stops soon; the listeners hear of it as `stopped`. Does nothing if it does not run.
    ///
    /// A listener must not wait for the end, nor for a thread that does: it is given two seconds to return, and `status` is
    /// `stopped` then, with a warning in the log. Until it returns, no other listener without a queue of its own is called, and
    /// ``run()`` does not return.
    public func stop() { engine.stop(self) }
}
