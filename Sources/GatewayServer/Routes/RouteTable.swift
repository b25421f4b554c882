import GatewayCore
import HTTPTypes

/// Every REST route of the gateway.
enum RouteTable {
    static let all: [Route] =
        server + databases + operation + NotOffered.routes + principals + sessions + documents + bulk

    /// The parts of routes and paths that are compared first.
    private struct Shape: Hashable {
        let length: Int
        /// A document's id never begins with an underscore; the names of routes do.
        let isReserved: Bool

        init(_ components: some Collection<some StringProtocol>) {
            length = components.count
            isReserved = components.first?.utf8.first == UInt8(ascii: "_")
        }
    }

    /// Those that may match the components behind the keyspace, if there is one.
    static func routes(behind keyspace: Keyspace?, rest: ArraySlice<Substring>) -> [Route] {
        (keyspace == nil ? ofServer : ofDatabases)[Shape(rest)] ?? []
    }

    private static let ofServer = Dictionary(grouping: all.filter { $0.root == .server }) { Shape($0.pattern) }
    private static let ofDatabases = Dictionary(grouping: all.filter { $0.root != .server }) { Shape($0.pattern) }

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
