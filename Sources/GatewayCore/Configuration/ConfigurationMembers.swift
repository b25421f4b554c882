import DocumentValues

/// The members that a database's configuration may have, including those that only concern Couchbase Server. An unknown
/// member is a typing error, which would be found too late if it were ignored.
enum ConfigurationMembers {
    static func check(_ json: JSONObject) throws(GatewayError) {
        try check(json, among: top)
        try types.check(json) { .badJSON($0) }
        for (name, known) in inside { try check(json[name]?.objectValue ?? [:], among: known) }
        try options.check(json["unsupported"]?.objectValue ?? [:]) { .badJSON($0) }
        for scope in json["scopes"]?.objectValue ?? [:] {
            try check(scope.value.objectValue ?? [:], among: ["collections"])
            for collection in scope.value["collections"]?.objectValue ?? [:] {
                try check(collection.value.objectValue ?? [:], among: ["sync", "import_filter"])
            }
        }
    }

    private static func check(_ object: JSONObject, among known: Set<Name>) throws(GatewayError) {
        guard let unknown = object.keys.first(where: { !known.contains(Name($0)) }) else { return }
        throw GatewayError.unknownMember(unknown)
    }

    private static let types = MemberTypes(kinds, of: "DbConfig")
    /// Members of `unsupported` that have an effect or are refused: a restriction of the wrong type would have no
    /// effect.
    private static let options = MemberTypes(
        [
            "blip_send_docs_with_channel_removal": .flag, "force_api_forbidden_errors": .flag, "guest_read_only": .flag,
            "reject_writes_with_skipped_sequences": .flag, "same_site_cookie": .text,
        ], of: "UnsupportedOptions")
    private static let top = Set(kinds.keys).union(["import_docs", "max_attachment_size_mb"])

    private static let kinds: [Name: MemberTypes.Kind] = {
        let names: [MemberTypes.Kind: [Name]] = [
            .text: [
                "bucket", "cacertpath", "certpath", "created_at", "feed_type", "import_filter", "keypath", "name",
                "password", "pool", "server", "session_cookie_name", "sync", "updated_at", "user_xattr_key", "username",
            ],
            .flag: [
                "allow_conflicts", "allow_empty_password", "changes_request_plus", "disable_password_auth",
                "disable_public_all_docs", "enable_shared_bucket_access", "import_backup_old_rev", "offline",
                "send_www_authenticate_header", "serve_insecure_attachment_types", "session_cookie_http_only",
                "session_cookie_secure", "sgreplicate_enabled", "store_legacy_revtree_data", "suspendable", "use_views",
                "writers_must_see",
            ],
            .count: [
                "bucket_op_timeout_ms", "import_partitions", "javascript_timeout_secs", "local_doc_expiry_secs",
                "num_index_replicas", "old_rev_expiry_seconds", "query_pagination_limit", "rev_cache_size",
                "revs_limit", "slow_query_warning_threshold", "view_query_timeout_secs",
            ],
            .integer: [
                "client_partition_window_secs", "kv_tls_port", "max_concurrent_query_ops",
                "sgreplicate_websocket_heartbeat_secs",
            ],
            .number: ["compact_interval_days"],
            .object: [
                "cache", "cors", "delta_sync", "event_handlers", "functions", "guest", "index", "local_jwt", "logging",
                "oidc", "replications", "roles", "scopes", "unsupported", "users",
            ],
        ]
        var kinds: [Name: MemberTypes.Kind] = [:]
        for (kind, names) in names { for name in names { kinds[name] = kind } }
        return kinds
    }()

    /// `cors` and `delta_sync` check their own members.
    private static let inside: [(String, Set<Name>)] = [
        (
            "cache",
            [
                "channel_cache", "channel_cache_expiry", "channel_cache_max_length", "channel_cache_min_length",
                "enable_star_channel", "max_num_pending", "max_wait_pending", "max_wait_skipped", "rev_cache",
            ]
        ),
        ("guest", PrincipalRequest.members), ("index", ["num_partitions", "num_replicas"]),
        ("logging", ["audit", "console"]),
        (
            "unsupported",
            [
                "api_endpoints", "blip_send_docs_with_channel_removal", "connected_client", "dcp_read_buffer",
                "disable_clean_skipped_query", "force_api_forbidden_errors", "guest_read_only", "kv_buffer",
                "oidc_test_provider", "oidc_tls_skip_verify", "reject_writes_with_skipped_sequences",
                "remote_config_tls_skip_verify", "same_site_cookie", "sgr_tls_skip_verify", "use_query_resync_manager",
                "user_views", "warning_thresholds",
            ]
        ),
    ]
}
