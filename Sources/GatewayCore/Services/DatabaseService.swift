import DocumentValues
import Logging

/// A part of a database's functions, with the few things that it needs of the other parts.
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

    /// Writes a list beside the database after entries of both were erased. If that fails, it is logged, and
    /// housekeeping writes the list: the erasure in the database counts.
    func keep(_ save: () throws(GatewayError) -> Void) {
        do throws(GatewayError) { try save() } catch {
            environment.logger.warning(
                "Erased documents are still in a list beside the database; housekeeping writes the list again",
                metadata: ["db": "\(name)", "error": "\(error)"])
        }
    }

    /// Throws 404 `keyspace db.scope.collection not found`, or 503 while offline.
    func collection(_ name: CollectionName) throws(GatewayError) -> DatabaseSetup.Collection {
        try status.collection(name)
    }
}
