import DocumentValues

/// The JSON of `PUT /{db}/`, understood and checked.
struct DatabaseConfiguration: Sendable {
    struct Collection: Sendable, Hashable {
        let name: CollectionName
        /// `nil` where the default applies.
        let syncFunction: String?
    }

    /// As it was given.
    let json: JSONObject
    let collections: [Collection]
    /// Whether a document may have several live leaves.
    let allowsConflicts: Bool
    let revisionLimit: Int
    /// Bytes of one attachment.
    let attachmentSize: Int
    /// For how long content stays that the current revision no longer refers to.
    let replacedAttachmentSeconds: Int64
    let allowsEmptyPasswords: Bool
    let startsOffline: Bool
    let localDocumentSeconds: Int64
    /// How long a sync function may take; `nil` for what is usual.
    let syncFunctionTime: Duration?
    /// What to set for the guest, if anything.
    let guest: PrincipalRequest?
    /// Whose tokens open accounts.
    let tokenIssuers: [TokenIssuer]
    let loginRules: LoginRules
    /// `nil` where those of the gateway apply.
    let crossOriginRules: CrossOriginRules?
    let deltaSync: DeltaSyncConfiguration

    init(_ json: JSONObject) throws(GatewayError) {
        for key in json.keys where !Self.knownMembers.contains(key) {
            throw GatewayError(400, "JSON Unknown Field: json: unknown field \"\(key)\": unrecognized JSON field")
        }
        try Self.check(json)
        self.json = json
        collections = try Self.collections(json)
        try UnsupportedSettings.check(json)
        allowsConflicts = json["allow_conflicts"]?.boolValue ?? false
        revisionLimit = try Self.revisionLimit(json, allowsConflicts: allowsConflicts)
        attachmentSize = try Self.attachmentSize(json)
        let expiry = json["old_rev_expiry_seconds"]?.integerValue ?? GatewayLimits.oldRevisionExpiry
        replacedAttachmentSeconds = min(expiry, GatewayLimits.longestReplacedAttachment)
        allowsEmptyPasswords = json["allow_empty_password"]?.boolValue ?? false
        startsOffline = json["offline"]?.boolValue ?? false
        localDocumentSeconds =
            json["local_doc_expiry_secs"]?.integerValue ?? GatewayLimits.localDocumentDays * 24 * 3_600
        crossOriginRules = try CrossOriginRules(json["cors"])
        deltaSync = try DeltaSyncConfiguration(json)
        loginRules = LoginRules(json)
        tokenIssuers = try TokenIssuer.all(json["local_jwt"])
        syncFunctionTime = try Self.syncFunctionTime(json)
        guest = try json["guest"]?.objectValue.map { object throws(GatewayError) in try PrincipalRequest(object) }
    }

    /// With conflicts, a history that is too short makes new branches out of descendants.
    private static func revisionLimit(_ json: JSONObject, allowsConflicts: Bool) throws(GatewayError) -> Int {
        let usual = allowsConflicts ? GatewayLimits.revisionsWithConflicts : GatewayLimits.revisions
        let limit = json["revs_limit"]?.integerValue ?? Int64(usual)
        let least = allowsConflicts ? GatewayLimits.fewestRevisionsWithConflicts : 1
        guard limit >= least, limit <= 1_000_000 else {
            let rule = allowsConflicts ? "cannot be set lower than \(least)" : "must be greater than zero"
            throw invalid("The revs_limit (\(limit)) value in your Sync Gateway configuration \(rule).")
        }
        return Int(limit)
    }

    /// Our own: with Sync Gateway 20 MB is fixed.
    private static func attachmentSize(_ json: JSONObject) throws(GatewayError) -> Int {
        guard let value = json["max_attachment_size_mb"], value != .null else { return GatewayLimits.attachmentSize }
        guard let size = value.integerValue, (1...GatewayLimits.attachmentMegabytes).contains(size) else {
            throw invalid(
                "max_attachment_size_mb must be a whole number from 1 to \(GatewayLimits.attachmentMegabytes)")
        }
        return Int(size) << 20
    }

    /// 0 means no limit to Sync Gateway. Here it means the usual one: a function that never ends would block others.
    private static func syncFunctionTime(_ json: JSONObject) throws(GatewayError) -> Duration? {
        guard let value = json["javascript_timeout_secs"], value != .null else { return nil }
        guard let seconds = value.integerValue, seconds >= 0, seconds <= GatewayLimits.syncFunctionTime else {
            throw invalid("javascript_timeout_secs must be a number from 0 to \(GatewayLimits.syncFunctionTime)")
        }
        return seconds == 0 ? nil : .seconds(seconds)
    }

    static func parse(_ bytes: [UInt8]) throws(GatewayError) -> JSONObject {
        do {
            return try JSONObject(parsing: bytes)
        } catch  where error.code == .unexpectedEnd {
            throw GatewayError(400, "Bad JSON: unexpected EOF")
        } catch {
            throw GatewayError(400, "Bad JSON: \(error)")
        }
    }

    static func invalid(_ text: String) -> GatewayError { GatewayError(400, "1 errors:\n\(text)") }

    // MARK: - Collections

    private static func collections(_ json: JSONObject) throws(GatewayError) -> [Collection] {
        guard let scopes = json["scopes"]?.objectValue, !scopes.isEmpty else {
            return [Collection(name: .default, syncFunction: function(json))]
        }
        guard scopes.count == 1, let scope = scopes.members.first else {
            throw invalid(
                "only one named scope is supported, but had \(scopes.count) (\(scopes.keys.joined(separator: ", ")))")
        }
        guard let collections = scope.value["collections"]?.objectValue, !collections.isEmpty else {
            throw invalid("must specify at least one collection in scope \(scope.key)")
        }
        var result: [Collection] = []
        for member in collections {
            guard let name = try? CollectionName(scope: scope.key, name: member.key) else {
                throw invalid("collection name \"\(scope.key).\(member.key)\" is not allowed")
            }
            result.append(Collection(name: name, syncFunction: function(member.value.objectValue ?? [:])))
        }
        return result
    }

    private static func function(_ object: JSONObject) -> String? {
        object["sync"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Members that Sync Gateway knows; those that do not concern us are kept and shown.
    private static let knownMembers: Set<String> = [
        "allow_conflicts", "allow_empty_password", "auto_import", "bucket", "bucket_op_timeout_ms", "cacertpath",
        "cache",
        "certpath", "changes_request_plus", "client_partition_window_secs", "compact_interval_days", "cors",
        "created_at", "delta_sync", "disable_password_auth", "disable_public_all_docs",
        "enable_shared_bucket_access", "event_handlers",
        "feed_type", "guest", "import_backup_old_rev", "import_docs", "import_filter", "import_partitions", "index",
        "javascript_timeout_secs", "keypath", "kv_tls_port", "local_doc_expiry_secs", "local_jwt", "logging",
        "max_attachment_size_mb", "max_concurrent_query_ops", "name", "num_index_replicas", "offline", "oidc",
        "old_rev_expiry_seconds",
        "password",
        "query_pagination_limit", "rev_cache_size", "revs_limit", "roles", "scopes", "send_www_authenticate_header",
        "serve_insecure_attachment_types", "server", "session_cookie_http_only", "session_cookie_name",
        "session_cookie_secure", "sgreplicate_enabled", "sgreplicate_websocket_heartbeat_secs",
        "slow_query_warning_threshold", "store_legacy_revtree_data", "suspendable", "sync", "unsupported", "updated_at",
        "use_views", "user_functions", "user_xattr_key", "username", "users", "view_query_timeout_secs", "replications",
    ]
}
