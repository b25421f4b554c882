/// Databases, their configuration and collections, and what administrators have done with them.
extension GatewayError {
    package static func noSuchDatabase(_ name: String) -> GatewayError {
        GatewayError(404, reason: "no such database \"\(name)\"")
    }
    package static func duplicateDatabase(_ name: String) -> GatewayError {
        GatewayError(412, reason: "Duplicate database name \"\(name)\"")
    }
    /// For those who are no administrators: `notServed` names files.
    package static let unavailableDatabase = GatewayError(
        503, reason: "The database is not available at the moment; the gateway's log says why")
    package static func notServed(_ fault: String) -> GatewayError { GatewayError(503, reason: fault) }
    package static let underMaintenance = GatewayError(503, reason: "DB is currently under maintenance")
    /// For connections that go on over the change.
    static let databaseChanged = GatewayError(503, reason: "The database has changed")
    package static func otherNameInBody(_ given: String, path name: String) -> GatewayError {
        GatewayError(
            400,
            reason:
                "When providing a name in the JSON body (\(given)), ensure it matches the name in the path (\(name)).")
    }
    package static let fixedDatabaseName = GatewayError(
        400, reason: "Cannot update database name. This requires removing and re-creating the database with a new name")
    package static func takenFolder(_ name: String) -> GatewayError {
        GatewayError(
            409,
            reason: "In the storage folder there is already a \"\(name)\" that is no database; move it away, or choose "
                + "another name")
    }
    package static func noSuchKeyspace(_ keyspace: String) -> GatewayError {
        GatewayError(404, reason: "keyspace \(keyspace) not found")
    }
    package static func noSuchKeyspaceOfAccess(_ keyspace: String) -> GatewayError {
        GatewayError(404, reason: "keyspace specified in collection_access (\(keyspace)) not found")
    }
    /// An invalid setting of a database, or one that is out of range; in the form of Sync Gateway.
    package static func invalidConfiguration(_ text: String) -> GatewayError {
        GatewayError(400, reason: "1 errors:\n\(text)")
    }
    /// The configuration is not the one that was to be changed.
    package static let otherConfiguration = GatewayError(
        412, reason: "Provided If-Match header does not match current config version")
    /// The same if no version was named: another request was faster.
    package static let configurationHasChanged = GatewayError(
        412, reason: "Another request changed the configuration at the same time; try again")
    package static let resyncIsUnderWay = GatewayError(
        503, reason: "Database _resync is in progress, this may take some time, try again later")
    package static let resyncRunsAlready = GatewayError(503, reason: "Database _resync is already in progress")
    package static let resyncNeedsOffline = GatewayError(
        503, reason: "Database must be _offline before calling /_resync")
    package static let resyncIsNotRunning = GatewayError(400, reason: "Database _resync is not running")
    package static func failingSyncFunction(for documents: Int, last: String) -> GatewayError {
        GatewayError(
            500,
            reason:
                "The sync function failed for \(documents) documents; they keep their channels. Correct the function, or go "
                + "on with ?force=true. Last: \(last)")
    }
    package static let compactionRunsAlready = GatewayError(503, reason: "Database compact already in progress")
    package static let compactionIsNotRunning = GatewayError(400, reason: "Database compact is not running")
    package static let compactionHasStopped = GatewayError(503, reason: "Process already stopped")
    package static func lateKeySet(within limit: Duration) -> GatewayError {
        GatewayError(504, reason: "the key set did not come within \(limit)")
    }
    package static func keySetAnswer(_ status: UInt) -> GatewayError {
        GatewayError(502, reason: "the answer was \(status)")
    }
    package static let keySetTooLarge = GatewayError(
        502, reason: "the key set has more than \(GatewayLimits.keySetSize) bytes")
    package static let keySetRedirectedTooOften = GatewayError(
        502, reason: "the answer redirects more than \(GatewayLimits.keySetRedirects) times")
    package static let keySetRedirectedNowhere = GatewayError(502, reason: "the answer redirects to no address")
    package static let keySetRedirectedElsewhere = GatewayError(502, reason: "the answer redirects to another host")
}
