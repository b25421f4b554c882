import GatewayCore
import HTTPTypes

/// Routes that Sync Gateway's admin port has and this one has not: the caller gets the reason, with 501.
enum NotOffered {
    static let routes: [Route] = server + databases + collections

    private static let server: [Route] =
        every([.post, .delete], .server, "_sgcollect_info", collecting)
        + every([.get], .server, "_stats", "Statistics of Go's memory; see _expvar and the metrics port")
        + every([.post], .server, "_heap", go) + every([.post], .server, "_profile", go)
        + every([.post], .server, "_profile/*", go) + every([.get, .post], .server, "_debug/pprof/*", go)
        + every([.get, .post], .server, "_debug/fgprof", go)

    private static let databases: [Route] =
        every([.post], .database, "_flush", "A database is emptied by deleting it and making it again")
        + every([.post], .database, "_repair", "There is nothing to repair; see fieldbook-gateway restore")
        + every([.get, .post], .database, "_index_init", "Indexes are part of the storage, and always there")
        + every([.get], .database, "_view/*", views) + every([.get], .database, "_dump/*", views)
        + every([.get, .put, .delete], .database, "_design/*", views)
        + every([.get], .database, "_design/*/_view/*", views)
        + every([.post], .database, "_replication", replications)
        + every([.put], .database, "_replication/*", replications)
        + every([.get], .database, "_user/*/_access_history", history)
        + every([.post], .database, "_user/*/_access_history/compact", history)

    private static let collections: [Route] =
        every([.get], .collection, "_channel_history/*", history)
        + every([.post], .collection, "_channel_history/*/compact", history)

    private static let collecting = "Nothing is collected; logs are where the configuration says"
    private static let go = "Go's profilers are not there; perf and the metrics port look at a process of Swift"
    private static let views = "Views belong to Couchbase Server; use _all_docs or _changes"
    private static let replications = "Replications between gateways are not offered"
    private static let history = "What access somebody had is kept inside, and not shown"

    private static func every(
        _ methods: [HTTPRequest.Method], _ root: Route.Root, _ path: String, _ reason: String
    ) -> [Route] {
        methods.map { Route($0, root, path, .admin) { _ in throw GatewayError(501, reason) } }
    }
}
