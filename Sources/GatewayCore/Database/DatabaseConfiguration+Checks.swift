import DocumentValues

/// What a database's configuration must not say.
extension DatabaseConfiguration {
    /// Types, and members that contradict each other. What the gateway leaves alone is still checked: a setting that is
    /// passed over because it is written wrongly is found too late.
    static func check(_ json: JSONObject) throws(GatewayError) {
        try types.check(json) { "Bad JSON: \($0)" }
        for name in ["users", "roles"] where json[name] != nil {
            throw invalid("Persisted database config does not support customization of the \"\(name)\" field")
        }
        for name in ["revs_limit", "local_doc_expiry_secs"] {
            guard let number = json[name]?.integerValue, number > Int64(UInt32.max) else { continue }
            throw GatewayError(400, "Bad JSON: \(name) must be at most \(UInt32.max)")
        }
        guard let scopes = json["scopes"]?.objectValue, !scopes.isEmpty else { return }
        for (name, text) in [("sync", "sync function"), ("import_filter", "import filter")] {
            guard let value = json[name]?.stringValue, !value.isEmpty else { continue }
            throw invalid("cannot specify a database-level \(text) with named scopes and collections")
        }
    }

    private static let types = MemberTypes(
        kinds([
            .text: ["bucket", "name", "sync", "import_filter", "session_cookie_name", "username", "user_xattr_key"],
            .flag: [
                "allow_conflicts", "allow_empty_password", "changes_request_plus", "disable_password_auth",
                "disable_public_all_docs", "enable_shared_bucket_access", "import_backup_old_rev", "offline",
                "send_www_authenticate_header", "serve_insecure_attachment_types", "session_cookie_http_only",
                "session_cookie_secure", "sgreplicate_enabled", "store_legacy_revtree_data", "suspendable", "use_views",
            ],
            .count: [
                "javascript_timeout_secs", "local_doc_expiry_secs", "num_index_replicas", "query_pagination_limit",
                "rev_cache_size", "revs_limit",
            ],
            .object: ["cache", "cors", "delta_sync", "guest", "logging", "scopes", "unsupported"],
        ]), of: "DbConfig")

    private static func kinds(_ names: [MemberTypes.Kind: [String]]) -> [String: MemberTypes.Kind] {
        var kinds: [String: MemberTypes.Kind] = [:]
        for (kind, names) in names { for name in names { kinds[name] = kind } }
        return kinds
    }
}
