import GatewayCore
import HTTPTypes
import Hummingbird

/// One line of the route table.
struct Route: Sendable {
    typealias Handler = @Sendable (RouteCall) async throws -> Response

    /// Who may call it.
    enum Access: Sendable { case anybody, user, admin }

    /// What the first component of the path means.
    enum Root: Sendable {
        /// The server itself: no database.
        case server
        /// A database, by its name.
        case database
        /// A collection of a database that is online.
        case collection
        /// A collection of a database, which may be offline.
        case configuredCollection

        var isCollection: Bool {
            switch self {
            case .collection, .configuredCollection: true
            case .server, .database: false
            }
        }
    }

    let method: HTTPRequest.Method
    let root: Root
    /// Components behind the keyspace; `*` means any one that is no reserved word.
    let pattern: [String]
    let access: Access
    let handler: Handler

    init(
        _ method: HTTPRequest.Method, _ root: Root, _ path: String, _ access: Access, _ handler: @escaping Handler
    ) {
        self.method = method
        self.root = root
        pattern = path.split(separator: "/").map(String.init)
        self.access = access
        self.handler = handler
    }

    /// Whether it needs the right to write.
    var writesDocuments: Bool {
        guard root == .collection, method != .get else { return false }
        return method != .post || !Self.readingByPost.contains(pattern.first ?? "")
    }

    private static let readingByPost: Set<String> = ["_all_docs", "_bulk_get", "_changes", "_try_sync_function"]

    /// The values of the stars; `nil` if the path is another one.
    func match(_ components: ArraySlice<Substring>) -> [String]? {
        guard components.count == pattern.count else { return nil }
        var values: [String] = []
        for (index, (expected, component)) in zip(pattern, components).enumerated() {
            if expected == "*" {
                // A document's id never begins with an underscore; what does is the name of a route.
                let value = GatewayRequest.decoded(component)
                guard index > 0 || value.utf8.first != UInt8(ascii: "_") else { return nil }
                values.append(value)
            } else if expected != component {
                return nil
            }
        }
        return values
    }
}

/// Every REST route of the gateway.
enum RouteTable {
    static let all: [Route] =
        server + databases + operation + NotOffered.routes + principals + sessions + documents + bulk

    /// Those with so many components behind the keyspace, if there is one.
    static func routes(behind keyspace: Keyspace?, length: Int) -> [Route] {
        (keyspace == nil ? ofServer : ofDatabases)[length] ?? []
    }

    private static let ofServer = Dictionary(grouping: all.filter { $0.root == .server }, by: \.pattern.count)
    private static let ofDatabases = Dictionary(grouping: all.filter { $0.root != .server }, by: \.pattern.count)

    private static let server: [Route] = [
        Route(.get, .server, "", .anybody, ServerRoutes.welcome),
        Route(.get, .server, "_ping", .anybody, ServerRoutes.ping),
        Route(.get, .server, "_all_dbs", .admin, ServerRoutes.allDatabases),
        Route(.get, .server, "_status", .admin, ServerRoutes.status),
        Route(.get, .server, "_config", .admin, SettingsRoutes.configuration),
        Route(.put, .server, "_config", .admin, SettingsRoutes.change),
        Route(.get, .server, "_logging", .admin, SettingsRoutes.logKeys),
        Route(.put, .server, "_logging", .admin, SettingsRoutes.setLogLevel),
        Route(.post, .server, "_logging", .admin, SettingsRoutes.setLogLevel),
        Route(.get, .server, "_expvar", .admin, ServerRoutes.numbers),
    ]

    private static let databases: [Route] = [
        Route(.get, .database, "", .user, DatabaseRoutes.describe),
        Route(.get, .database, "_config", .admin, DatabaseRoutes.configuration),
        Route(.post, .database, "_config", .admin, DatabaseRoutes.mergeConfiguration),
        Route(.put, .database, "_config", .admin, DatabaseRoutes.replaceConfiguration),
        Route(.get, .configuredCollection, "_config/sync", .admin, DatabaseRoutes.showing(.sync)),
        Route(.put, .configuredCollection, "_config/sync", .admin, DatabaseRoutes.setting(.sync)),
        Route(.delete, .configuredCollection, "_config/sync", .admin, DatabaseRoutes.removing(.sync)),
        Route(.get, .configuredCollection, "_config/import_filter", .admin, DatabaseRoutes.showing(.importFilter)),
        Route(.put, .configuredCollection, "_config/import_filter", .admin, DatabaseRoutes.setting(.importFilter)),
        Route(.delete, .configuredCollection, "_config/import_filter", .admin, DatabaseRoutes.removing(.importFilter)),
        Route(.post, .database, "_offline", .admin, DatabaseRoutes.goOffline),
        Route(.post, .database, "_online", .admin, DatabaseRoutes.goOnline),
        Route(.post, .collection, "_try_sync_function", .admin, SyncFunctionRoutes.attempt),
        Route(.get, .database, "_refusals", .admin, DatabaseRoutes.refusals),
        Route(.get, .database, "_sign_ins", .admin, DatabaseRoutes.signIns),
        Route(.get, .database, "_resync", .admin, ResyncRoutes.status),
        Route(.post, .database, "_resync", .admin, ResyncRoutes.act),
        Route(.get, .database, "_compact", .admin, CompactionRoutes.status),
        Route(.post, .database, "_compact", .admin, CompactionRoutes.act),
        Route(.post, .database, "_ensure_full_commit", .user, DatabaseRoutes.ensureFullCommit),
        Route(.get, .database, "_blipsync", .user, SyncRoutes.refuse),
    ]

    /// What tools for operators ask for.
    private static let operation: [Route] = [
        Route(.get, .server, "_cluster_info", .admin, OperationRoutes.clusterInfo),
        Route(.post, .server, "_post_upgrade", .admin, OperationRoutes.postUpgrade),
        Route(.get, .server, "_sgcollect_info", .admin, OperationRoutes.collecting),
        Route(.get, .database, "_config/audit", .admin, OperationRoutes.audit),
        Route(.put, .database, "_config/audit", .admin, OperationRoutes.setAudit),
        Route(.post, .database, "_config/audit", .admin, OperationRoutes.setAudit),
        Route(.get, .database, "_replication", .admin, OperationRoutes.replications),
        Route(.get, .database, "_replication/*", .admin, OperationRoutes.noReplication),
        Route(.delete, .database, "_replication/*", .admin, OperationRoutes.noReplication),
        Route(.get, .database, "_replicationStatus", .admin, OperationRoutes.replicationStatuses),
        Route(.get, .database, "_replicationStatus/*", .admin, OperationRoutes.noReplication),
        Route(.put, .database, "_replicationStatus/*", .admin, OperationRoutes.noReplication),
    ]

    private static let principals: [Route] = [
        Route(.get, .database, "_user", .admin, PrincipalRoutes.users),
        Route(.post, .database, "_user", .admin, PrincipalRoutes.addUser),
        Route(.get, .database, "_user/*", .admin, PrincipalRoutes.user),
        Route(.put, .database, "_user/*", .admin, PrincipalRoutes.putUser),
        Route(.delete, .database, "_user/*", .admin, PrincipalRoutes.deleteUser),
        Route(.delete, .database, "_user/*/_session", .admin, SessionRoutes.deleteAll),
        Route(.delete, .database, "_user/*/_session/*", .admin, SessionRoutes.deleteOne),
        Route(.get, .database, "_role", .admin, PrincipalRoutes.roles),
        Route(.post, .database, "_role", .admin, PrincipalRoutes.addRole),
        Route(.get, .database, "_role/*", .admin, PrincipalRoutes.role),
        Route(.put, .database, "_role/*", .admin, PrincipalRoutes.putRole),
        Route(.delete, .database, "_role/*", .admin, PrincipalRoutes.deleteRole),
    ]

    private static let sessions: [Route] = [
        Route(.get, .database, "_session", .anybody, SessionRoutes.current),
        Route(.post, .database, "_session", .anybody, SessionRoutes.create),
        Route(.delete, .database, "_session", .user, SessionRoutes.logOut),
        Route(.get, .database, "_session/*", .admin, SessionRoutes.find),
        Route(.delete, .database, "_session/*", .admin, SessionRoutes.delete),
    ]

    private static let documents: [Route] = [
        Route(.post, .collection, "", .user, DocumentRoutes.post),
        Route(.get, .collection, "_local/*", .user, LocalRoutes.get),
        Route(.put, .collection, "_local/*", .user, LocalRoutes.put),
        Route(.delete, .collection, "_local/*", .user, LocalRoutes.delete),
        Route(.get, .collection, "_raw/*", .admin, AdminDocumentRoutes.raw),
        Route(.get, .collection, "_revtree/*", .admin, AdminDocumentRoutes.revisionTree),
        Route(.get, .collection, "_dumpchannel/*", .admin, AdminDocumentRoutes.dumpChannel),
        Route(.post, .collection, "_purge", .admin, AdminDocumentRoutes.purge),
        Route(.get, .collection, "*", .user, DocumentRoutes.get),
        Route(.put, .collection, "*", .user, DocumentRoutes.put),
        Route(.delete, .collection, "*", .user, DocumentRoutes.delete),
        Route(.get, .collection, "*/*", .user, AttachmentRoutes.get),
        Route(.put, .collection, "*/*", .user, AttachmentRoutes.put),
        Route(.delete, .collection, "*/*", .user, AttachmentRoutes.delete),
    ]

    private static let bulk: [Route] = [
        Route(.post, .collection, "_bulk_docs", .user, BulkRoutes.bulkDocs),
        Route(.post, .collection, "_bulk_get", .user, BulkRoutes.bulkGet),
        Route(.post, .collection, "_revs_diff", .user, BulkRoutes.revsDiff),
        Route(.get, .collection, "_all_docs", .user, AllDocumentsRoutes.get),
        Route(.post, .collection, "_all_docs", .user, AllDocumentsRoutes.post),
        Route(.get, .collection, "_changes", .user, ChangesRoutes.get),
        Route(.post, .collection, "_changes", .user, ChangesRoutes.post),
    ]
}
