import DocumentValues
import Logging

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

    /// Writes a list beside the database after something was erased from both. What cannot be written is logged, and
    /// written by housekeeping: what is erased is erased.
    func keep(_ save: () throws(GatewayError) -> Void) {
        do throws(GatewayError) { try save() } catch {
            environment.logger.warning(
                "What was erased is still in a list beside the database; housekeeping writes it",
                metadata: ["db": "\(name)", "error": "\(error)"])
        }
    }

    /// Throws 404 `keyspace db.scope.collection not found`, or 503 while offline.
    func collection(_ name: CollectionName) throws(GatewayError) -> DatabaseSetup.Collection {
        try status.collection(name)
    }
}
