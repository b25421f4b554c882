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

    /// Reads a document to be stored; if it is too large, that is noted as a refusal of the document.
    func noting<Value>(refusalOf document: String, _ read: () async throws -> Value) async throws -> Value {
        do { return try await read() } catch {
            try database.documents.noteUnread(error, of: document, in: collection, by: requester)
            throw error
        }
    }

    /// Counts a document that is sent as a whole.
    func countRead(_ document: DocumentRevision) throws { try database.activity.countRead(document, in: collection) }
}

/// `db`, `db.collection` or `db.scope.collection`.
struct Keyspace: Sendable, Hashable {
    let database: String
    let text: String
    private let parts: [String]

    init(_ text: String) {
        self.text = text
        parts = text.split(atByte: ".", omittingEmptySubsequences: false).map(String.init)
        database = parts[0]
    }

    var namesCollection: Bool { parts.count > 1 }

    /// 400 for a text that cannot name a collection of any database: too many parts, or an empty one.
    func check() throws(GatewayError) {
        guard parts.count <= 3 else {
            throw GatewayError.unknownKeyspaceFormat(text)
        }
        guard !parts.contains("") else {
            throw GatewayError.emptyKeyspaceField(text)
        }
    }

    /// The named collection, if the database has it. Without a scope it may be one of the default scope or of the only
    /// named one (rest-05 50).
    func collection(in database: GatewayDatabase) throws -> CollectionName {
        let known = database.collections
        let found =
            switch parts.count {
            case 1: known.first { $0.isDefault }
            case 2: known.first { $0.name.isExactly(parts[1]) }
            default: known.first { $0.scope.isExactly(parts[1]) && $0.name.isExactly(parts[2]) }
            }
        guard let found else { throw GatewayError.noSuchKeyspace(text) }
        return found
    }
}
