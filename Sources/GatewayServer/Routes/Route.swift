import GatewayCore
import HTTPTypes
import Hummingbird

/// One line of the route table.
struct Route: Sendable {
    typealias Handler = @Sendable (RouteCall) async throws -> Response

    /// The callers that are let in.
    enum Access: Sendable { case anybody, user, admin }

    /// The meaning of the first component of the path.
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
    /// Components behind the keyspace; `*` means any one that is not reserved.
    let pattern: [String]
    let access: Access
    let handler: Handler

    init(
        _ method: HTTPRequest.Method, root: Root, path: String, access: Access, handler: @escaping Handler
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

    /// `_revs_diff` is not among them, although it changes nothing: its caller is about to push. (A page that only
    /// reads may ask for it: `CrossOrigin`.)
    private static let readingByPost: Set<String> = ["_all_docs", "_bulk_get", "_changes", "_try_sync_function"]

    /// The values of the stars; `nil` if the path is another one.
    func match(_ components: ArraySlice<Substring>) -> [String]? {
        guard components.count == pattern.count else { return nil }
        var values: [String] = []
        for (index, (expected, component)) in zip(pattern, components).enumerated() {
            if expected.utf8.elementsEqual("*".utf8) {
                // A document's id never begins with an underscore; a component that does is the name of a route.
                let value = GatewayRequest.decoded(component)
                guard index > 0 || value.utf8.first != UInt8(ascii: "_") else { return nil }
                values.append(value)
            } else if !expected.utf8.elementsEqual(component.utf8) {
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
        Route(.get, root: .server, path: "", access: .anybody, handler: ServerRoutes.welcome),
        Route(.get, root: .server, path: "_ping", access: .anybody, handler: ServerRoutes.ping),
        Route(.get, root: .server, path: "_all_dbs", access: .admin, handler: ServerRoutes.allDatabases),
        Route(.get, root: .server, path: "_status", access: .admin, handler: ServerRoutes.status),
        Route(.get, root: .server, path: "_config", access: .admin, handler: SettingsRoutes.configuration),
        Route(.put, root: .server, path: "_config", access: .admin, handler: SettingsRoutes.change),
        Route(.get, root: .server, path: "_logging", access: .admin, handler: SettingsRoutes.logKeys),
        Route(.put, root: .server, path: "_logging", access: .admin, handler: SettingsRoutes.setLogLevel),
        Route(.post, root: .server, path: "_logging", access: .admin, handler: SettingsRoutes.setLogLevel),
        Route(.get, root: .server, path: "_expvar", access: .admin, handler: ServerRoutes.numbers),
    ]

    private static let databases: [Route] = [
        Route(.get, root: .database, path: "", access: .user, handler: DatabaseRoutes.describe),
        Route(.get, root: .database, path: "_config", access: .admin, handler: DatabaseRoutes.configuration),
        Route(.post, root: .database, path: "_config", access: .admin, handler: DatabaseRoutes.mergeConfiguration),
        Route(.put, root: .database, path: "_config", access: .admin, handler: DatabaseRoutes.replaceConfiguration),
        Route(
            .get, root: .configuredCollection, path: "_config/sync", access: .admin,
            handler: DatabaseRoutes.showing(.sync)),
        Route(
            .put, root: .configuredCollection, path: "_config/sync", access: .admin,
            handler: DatabaseRoutes.setting(.sync)),
        Route(
            .delete, root: .configuredCollection, path: "_config/sync", access: .admin,
            handler: DatabaseRoutes.removing(.sync)),
        Route(
            .get, root: .configuredCollection, path: "_config/import_filter", access: .admin,
            handler: DatabaseRoutes.showing(.importFilter)),
        Route(
            .put, root: .configuredCollection, path: "_config/import_filter", access: .admin,
            handler: DatabaseRoutes.setting(.importFilter)),
        Route(
            .delete, root: .configuredCollection, path: "_config/import_filter", access: .admin,
            handler: DatabaseRoutes.removing(.importFilter)),
        Route(.post, root: .database, path: "_offline", access: .admin, handler: DatabaseRoutes.goOffline),
        Route(.post, root: .database, path: "_online", access: .admin, handler: DatabaseRoutes.goOnline),
        Route(
            .post, root: .collection, path: "_try_sync_function", access: .admin, handler: SyncFunctionRoutes.attempt),
        Route(.get, root: .database, path: "_refusals", access: .admin, handler: DatabaseRoutes.refusals),
        Route(.get, root: .database, path: "_sign_ins", access: .admin, handler: DatabaseRoutes.signIns),
        Route(.get, root: .database, path: "_resync", access: .admin, handler: ResyncRoutes.status),
        Route(.post, root: .database, path: "_resync", access: .admin, handler: ResyncRoutes.act),
        Route(.get, root: .database, path: "_compact", access: .admin, handler: CompactionRoutes.status),
        Route(.post, root: .database, path: "_compact", access: .admin, handler: CompactionRoutes.act),
        Route(
            .post, root: .database, path: "_ensure_full_commit", access: .user, handler: DatabaseRoutes.ensureFullCommit
        ),
        Route(.get, root: .database, path: "_blipsync", access: .user, handler: SyncRoutes.refuse),
    ]

    /// Requests of tools for operators.
    private static let operation: [Route] = [
        Route(.get, root: .server, path: "_cluster_info", access: .admin, handler: OperationRoutes.clusterInfo),
        Route(.post, root: .server, path: "_post_upgrade", access: .admin, handler: OperationRoutes.postUpgrade),
        Route(.get, root: .server, path: "_sgcollect_info", access: .admin, handler: OperationRoutes.collecting),
        Route(.get, root: .database, path: "_config/audit", access: .admin, handler: OperationRoutes.audit),
        Route(.put, root: .database, path: "_config/audit", access: .admin, handler: OperationRoutes.setAudit),
        Route(.post, root: .database, path: "_config/audit", access: .admin, handler: OperationRoutes.setAudit),
        Route(.get, root: .database, path: "_replication", access: .admin, handler: OperationRoutes.replications),
        Route(.get, root: .database, path: "_replication/*", access: .admin, handler: OperationRoutes.noReplication),
        Route(.delete, root: .database, path: "_replication/*", access: .admin, handler: OperationRoutes.noReplication),
        Route(
            .get, root: .database, path: "_replicationStatus", access: .admin,
            handler: OperationRoutes.replicationStatuses),
        Route(
            .get, root: .database, path: "_replicationStatus/*", access: .admin, handler: OperationRoutes.noReplication),
        Route(
            .put, root: .database, path: "_replicationStatus/*", access: .admin, handler: OperationRoutes.noReplication),
    ]

    private static let principals: [Route] = [
        Route(.get, root: .database, path: "_user", access: .admin, handler: PrincipalRoutes.users),
        Route(.post, root: .database, path: "_user", access: .admin, handler: PrincipalRoutes.addUser),
        Route(.get, root: .database, path: "_user/*", access: .admin, handler: PrincipalRoutes.user),
        Route(.put, root: .database, path: "_user/*", access: .admin, handler: PrincipalRoutes.putUser),
        Route(.delete, root: .database, path: "_user/*", access: .admin, handler: PrincipalRoutes.deleteUser),
        Route(.delete, root: .database, path: "_user/*/_session", access: .admin, handler: SessionRoutes.deleteAll),
        Route(.delete, root: .database, path: "_user/*/_session/*", access: .admin, handler: SessionRoutes.deleteOne),
        Route(.get, root: .database, path: "_role", access: .admin, handler: PrincipalRoutes.roles),
        Route(.post, root: .database, path: "_role", access: .admin, handler: PrincipalRoutes.addRole),
        Route(.get, root: .database, path: "_role/*", access: .admin, handler: PrincipalRoutes.role),
        Route(.put, root: .database, path: "_role/*", access: .admin, handler: PrincipalRoutes.putRole),
        Route(.delete, root: .database, path: "_role/*", access: .admin, handler: PrincipalRoutes.deleteRole),
    ]

    private static let sessions: [Route] = [
        Route(.get, root: .database, path: "_session", access: .anybody, handler: SessionRoutes.current),
        Route(.post, root: .database, path: "_session", access: .anybody, handler: SessionRoutes.create),
        Route(.delete, root: .database, path: "_session", access: .user, handler: SessionRoutes.logOut),
        Route(.get, root: .database, path: "_session/*", access: .admin, handler: SessionRoutes.find),
        Route(.delete, root: .database, path: "_session/*", access: .admin, handler: SessionRoutes.delete),
    ]

    private static let documents: [Route] = [
        Route(.post, root: .collection, path: "", access: .user, handler: DocumentRoutes.post),
        Route(.get, root: .collection, path: "_local/*", access: .user, handler: LocalRoutes.get),
        Route(.put, root: .collection, path: "_local/*", access: .user, handler: LocalRoutes.put),
        Route(.delete, root: .collection, path: "_local/*", access: .user, handler: LocalRoutes.delete),
        Route(.get, root: .collection, path: "_raw/*", access: .admin, handler: AdminDocumentRoutes.raw),
        Route(.get, root: .collection, path: "_revtree/*", access: .admin, handler: AdminDocumentRoutes.revisionTree),
        Route(
            .get, root: .collection, path: "_dumpchannel/*", access: .admin, handler: AdminDocumentRoutes.dumpChannel),
        Route(.post, root: .collection, path: "_purge", access: .admin, handler: AdminDocumentRoutes.purge),
        Route(.get, root: .collection, path: "*", access: .user, handler: DocumentRoutes.get),
        Route(.put, root: .collection, path: "*", access: .user, handler: DocumentRoutes.put),
        Route(.delete, root: .collection, path: "*", access: .user, handler: DocumentRoutes.delete),
        Route(.get, root: .collection, path: "*/*", access: .user, handler: AttachmentRoutes.get),
        Route(.put, root: .collection, path: "*/*", access: .user, handler: AttachmentRoutes.put),
        Route(.delete, root: .collection, path: "*/*", access: .user, handler: AttachmentRoutes.delete),
    ]

    private static let bulk: [Route] = [
        Route(.post, root: .collection, path: "_bulk_docs", access: .user, handler: BulkRoutes.bulkDocs),
        Route(.post, root: .collection, path: "_bulk_get", access: .user, handler: BulkRoutes.bulkGet),
        Route(.post, root: .collection, path: "_revs_diff", access: .user, handler: BulkRoutes.revsDiff),
        Route(.get, root: .collection, path: "_all_docs", access: .user, handler: AllDocumentsRoutes.get),
        Route(.post, root: .collection, path: "_all_docs", access: .user, handler: AllDocumentsRoutes.post),
        Route(.get, root: .collection, path: "_changes", access: .user, handler: ChangesRoutes.get),
        Route(.post, root: .collection, path: "_changes", access: .user, handler: ChangesRoutes.post),
    ]
}
