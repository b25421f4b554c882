import DocumentValues
import Synchronization

/// A database as its administrators have set it: its configuration, and whether it serves clients.
final class DatabaseStatus: Sendable {
    let name: String
    private let values: Mutex<Values>

    struct Values: Sendable {
        var setup: DatabaseSetup
        var state: DatabaseState
        var configurationVersion: String
        var times: ConfigurationTimes
        /// While a new configuration is being stored, no other one is, and no resync begins.
        var isBeingConfigured = false
    }

    init(of name: String, _ values: Values) {
        self.name = name
        self.values = Mutex(values)
    }

    var current: Values { values.withLock { $0 } }

    func update<Result: Sendable, Failure: Error>(
        _ change: (inout Values) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try values.withLock { values throws(Failure) in try change(&values) }
    }

    var setup: DatabaseSetup { values.withLock { $0.setup } }
    var state: DatabaseState { values.withLock { $0.state } }
    var collections: [CollectionName] { setup.collections.keys.sorted() }

    var configurationVersion: String { values.withLock { $0.configurationVersion } }

    /// Whether a write that began under a configuration may still be stored: rights and the sync function may have
    /// changed since the write was accepted. 503 if the database does not serve clients any more.
    func isInForce(_ version: String) throws(GatewayError) -> Bool {
        try values.withLock { values throws(GatewayError) in
            guard values.state == .online else { throw .underMaintenance }
            return values.configurationVersion.isExactly(version)
        }
    }

    /// Until `endConfiguring` no other request can change the configuration; throws if it does not have this version
    /// any more.
    func beginConfiguring(_ version: String) throws(GatewayError) {
        try update { values throws(GatewayError) in
            guard values.state != .resyncing else { throw .resyncRunsAlready }
            guard !values.isBeingConfigured, values.configurationVersion.isExactly(version) else {
                throw .configurationHasChanged
            }
            values.isBeingConfigured = true
        }
    }

    func endConfiguring() { update { $0.isBeingConfigured = false } }

    func checkOnline() throws(GatewayError) {
        guard state == .online else { throw .underMaintenance }
    }

    /// Throws 404 `keyspace db.scope.collection not found`, or 503 while offline.
    func collection(_ name: CollectionName) throws(GatewayError) -> DatabaseSetup.Collection {
        let current = current
        guard current.state == .online else { throw .underMaintenance }
        return try find(name, in: current.setup)
    }

    /// Throws 404 for a collection that the configuration does not name; also while the database is offline.
    func checkConfigured(_ name: CollectionName) throws(GatewayError) { _ = try find(name, in: setup) }

    private func find(
        _ collection: CollectionName, in setup: DatabaseSetup
    ) throws(GatewayError) -> DatabaseSetup.Collection {
        guard let found = setup.collections[collection] else {
            let keyspace = collection.isDefault ? name : "\(name).\(collection)"
            throw GatewayError.noSuchKeyspace(keyspace)
        }
        return found
    }
}
