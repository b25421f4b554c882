import BLIPTransport
import Dispatch
import DocumentStore
import DocumentValues
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
/// It works until all documents are exchanged or, if continuous, until it is stopped. After a failed connection it makes
/// new attempts, as its configuration says; each connection is a session of its own. An error that does not pass by itself,
/// such as a full disk here or a refused sign-in, stops a continuous replicator, too; ``start()`` starts it again.
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
/// ### Pending documents
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
    let runState = Mutex(RunState())
    let engine: ReplicatorEngine

    /// - Parameter config: if it is invalid, `status.error` has the error of `config.validate()` at once; `start()`
    ///   ends with the same error.
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
            runState.withLock { $0.report(Status(activity: .stopped, progress: .zero, error: error)) }
        }
    }

    /// The present activity, progress and error.
    ///
    /// `stopped` and `idle` are visible only after all documents were delivered to the document listeners; it waits at most
    /// two seconds for listeners without a queue of their own.
    public var status: Status { runState.withLock { $0.status } }

    /// The gateway's certificate, once connected over TLS.
    public var serverCertificate: Certificate? { runState.withLock { $0.serverCertificate } }

    /// The id under which the gateway logs the present, or last, connection.
    public var correlationID: String? { runState.withLock { $0.correlationID } }

    /// The header `Date` of the gateway's answer to the present, or last, handshake; `nil` where it sends none.
    package var gatewayDate: String? { runState.withLock { $0.gatewayDate } }

    /// Collections that may be missing at the gateway, and were at the present, or last, connection: nothing of them was
    /// exchanged.
    package var missingCollections: [CollectionName] { runState.withLock { $0.missingCollections } }

    /// Starts, unless it runs already. Listeners get the progress.
    ///
    /// When it returns, `status.activity` is `.connecting` and the database cannot be closed; if the configuration is
    /// invalid or the database is closed, `status.error` has the error. If it is still stopping after `stop()`, it
    /// starts again as soon as it has stopped, without the status `.stopped` in between.
    public func start() { start(reset: false) }

    /// - Parameter reset: forget how far earlier replications have come, and compare everything again.
    public func start(reset: Bool) {
        engine.start(self, resets: reset)
    }

    /// Checks soon whether the gateway still answers, if there is a connection.
    package func checkConnection() { engine.check() }

    /// Stops soon; listeners then get `stopped`. Does nothing if it does not run.
    ///
    /// A listener must not wait for the end, nor for a thread that does. It has two seconds to return; then `status` becomes
    /// `stopped`, with a warning in the log. Until it returns, no other listener without a queue of its own is called, and
    /// ``run()`` does not return.
    public func stop() { engine.stop(self) }
}
