import DocumentStore
import DocumentValues

/// Another database that is open in this process.
///
/// Collections of the same names are replicated; neither user nor channels are involved. The other database cannot be
/// closed while the replicator runs.
public struct DatabaseEndpoint: Endpoint {
    /// The other database, which has to be open.
    public let database: Database

    /// Another database of this process.
    public init(database: Database) { self.database = database }

    /// The identity of a database as a remote; a copy of a database has another one.
    static func identity(_ store: ReplicationStore) -> String { "database:" + Base64.encode(store.privateUUID) }

    func identity() throws -> String {
        // The name of the remote does not matter here: only the database's own identity is read.
        Self.identity(try ReplicationStore(database: database, remote: "database:"))
    }
}

/// The endpoints that a replicator knows how to reach.
enum KnownEndpoint: Sendable {
    case url(URLEndpoint)
    case database(DatabaseEndpoint)

    init(_ endpoint: any Endpoint) throws(ReplicationError) {
        if let endpoint = endpoint as? URLEndpoint {
            self = .url(endpoint)
        } else if let endpoint = endpoint as? DatabaseEndpoint {
            self = .database(endpoint)
        } else {
            throw .invalid("Endpoints of the type \(type(of: endpoint)) are not supported.")
        }
    }

    /// The identity of the remote.
    func identity() throws -> String {
        switch self {
        case .url(let endpoint): endpoint.identity
        case .database(let endpoint): try endpoint.identity()
        }
    }
}
