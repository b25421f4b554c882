import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// A request that found its route, with everything the route needs resolved.
struct RouteCall: Sendable {
    let request: GatewayRequest
    let context: GatewayContext
    let requester: Requester
    /// Set on routes of a database.
    private let foundDatabase: GatewayDatabase?
    /// The collection that the keyspace names.
    let collection: CollectionName
    /// The variable components of the path behind the keyspace, decoded.
    let parameters: [String]

    init(
        request: GatewayRequest, context: GatewayContext, requester: Requester, database: GatewayDatabase?,
        collection: CollectionName, parameters: [String]
    ) {
        self.request = request
        self.context = context
        self.requester = requester
        foundDatabase = database
        self.collection = collection
        self.parameters = parameters
    }

    var database: GatewayDatabase {
        get throws {
            guard let foundDatabase else { throw GatewayError.missing }
            return foundDatabase
        }
    }

    var isAdmin: Bool { requester == .admin }
}

/// `db`, `db.collection` or `db.scope.collection`.
struct Keyspace: Sendable, Hashable {
    let database: String
    let collection: CollectionName
    let text: String

    init(_ text: String) throws(GatewayError) {
        self.text = text
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        database = parts[0]
        let notFound = GatewayError(404, "keyspace \(text) not found")
        switch parts.count {
        case 1: collection = .default
        case 2:
            guard let name = try? CollectionName(name: parts[1]) else { throw notFound }
            collection = name
        case 3:
            guard let name = try? CollectionName(scope: parts[1], name: parts[2]) else { throw notFound }
            collection = name
        default: throw GatewayError(500, "unknown keyspace format: \(text) - expected 1-3 fields")
        }
    }
}
