import DocumentValues

/// A part of what a database does, with the few things that it needs of the others.
protocol DatabaseService: Sendable {
    var status: DatabaseStatus { get }
    var environment: DatabaseEnvironment { get }
}

extension DatabaseService {
    /// The database's.
    var name: String { status.name }
    var setup: DatabaseSetup { status.setup }
    /// Seconds since 1970.
    var now: Int64 { environment.now() }

    /// Throws 404 `keyspace db.scope.collection not found`, or 503 while offline.
    func collection(_ name: CollectionName) throws(GatewayError) -> DatabaseSetup.Collection {
        try status.collection(name)
    }
}
