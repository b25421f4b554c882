import GatewayCore
import HTTPTypes

/// Routes of Sync Gateway's admin port that this one does not have: the caller gets the reason, with 501.
enum NotOffered {
    static let routes: [Route] = server + databases + collections

    private static let server: [Route] =
        every([.post, .delete], root: .server, path: "_sgcollect_info", reason: collecting)
        + every(
            [.get], root: .server, path: "_stats", reason: "Statistics of Go's memory; see _expvar and the metrics port"
        )
        + every([.post], root: .server, path: "_heap", reason: go)
        + every([.post], root: .server, path: "_profile", reason: go)
        + every([.post], root: .server, path: "_profile/*", reason: go)
        + every([.get, .post], root: .server, path: "_debug/pprof/*", reason: go)
        + every([.get, .post], root: .server, path: "_debug/fgprof", reason: go)

    private static let databases: [Route] =
        every(
            [.post], root: .database, path: "_flush", reason: "A database is emptied by deleting it and making it again"
        )
        + every(
            [.post], root: .database, path: "_repair",
            reason: "There is nothing to repair; see fieldbook-gateway restore")
        + every(
            [.get, .post], root: .database, path: "_index_init",
            reason: "Indexes are part of the storage, and always there")
        + every([.get], root: .database, path: "_view/*", reason: views)
        + every([.get], root: .database, path: "_dump/*", reason: views)
        + every([.get, .put, .delete], root: .database, path: "_design/*", reason: views)
        + every([.get], root: .database, path: "_design/*/_view/*", reason: views)
        + every([.post], root: .database, path: "_replication", reason: replications)
        + every([.put], root: .database, path: "_replication/*", reason: replications)
        + every([.get], root: .database, path: "_user/*/_access_history", reason: history)
        + every([.post], root: .database, path: "_user/*/_access_history/compact", reason: history)

    private static let collections: [Route] =
        every([.get], root: .collection, path: "_channel_history/*", reason: history)
        + every([.post], root: .collection, path: "_channel_history/*/compact", reason: history)

    private static let collecting = "Nothing is collected; logs are where the configuration says"
    private static let go = "Go's profilers are not there; perf and the metrics port look at a process of Swift"
    private static let views = "Views belong to Couchbase Server; use _all_docs or _changes"
    private static let replications = "Replications between gateways are not offered"
    private static let history = "The earlier access of users is stored, but not shown"

    private static func every(
        _ methods: [HTTPRequest.Method], root: Route.Root, path: String, reason: String
    ) -> [Route] {
        methods.map {
            Route($0, root: root, path: path, access: .admin) { _ in throw GatewayError.notOffered(reason) }
        }
    }
}
