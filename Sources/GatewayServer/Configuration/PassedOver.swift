/// Settings of Sync Gateway's start-up configuration that concern Couchbase Server, or that are fixed here: a file for
/// Sync Gateway only needs `storage.path` in addition. They are named when the gateway starts and by `serve --check`,
/// so that an operator knows that they have no effect. Misspelt ones are still refused.
enum PassedOver {
    static let root: Set<String> = [
        "auth", "bootstrap", "bucket_credentials", "couchbase_keepalive_interval", "database_credentials",
        "disable_persistent_config", "heap_profile_collection_threshold", "heap_profile_disable_collection",
        "max_file_descriptors", "unsupported",
    ]
    static let replicator: Set<String> = ["max_concurrent_changes_batches", "max_concurrent_revs", "max_heartbeat"]
    static let api: Set<String> = [
        "compress_responses", "enable_admin_authentication_permissions_check", "enable_advanced_auth_dp",
        "hide_product_version", "idle_timeout", "max_connections", "pretty", "profile_interface", "read_header_timeout",
        "server_read_timeout",
        "server_write_timeout",
    ]
    static let logging: Set<String> = ["debug", "error", "info", "stats", "trace", "warn"]
    static let console: Set<String> = [
        "collation_buffer_size", "color_enabled", "file_output", "log_keys", "rotation",
    ]
    static let audit: Set<String> = [
        "audit_log_file_path", "collation_buffer_size", "enabled_events", "rotation",
    ]

    /// The full keys of ignored settings that the configuration has.
    static func keys(_ reader: ConfigurationReader) throws(ConfigurationError) -> [String] {
        let logging = try reader.section("logging")
        let levels = [
            (reader, root), (try reader.section("api"), api), (try reader.section("replicator"), replicator),
            (logging, Self.logging),
            (try logging.section("console"), console), (try logging.section("audit"), audit),
        ]
        return levels.flatMap { level, names in
            level.values.keys.filter(names.contains).sorted().map { level.prefix + $0 }
        }
    }
}

extension GatewayConfiguration {
    /// The remark on settings that are ignored; `nil` if there are none.
    package var remarkOnPassedOver: String? {
        guard !passedOver.isEmpty else { return nil }
        return "these settings of Sync Gateway have no effect here: \(passedOver.joined(separator: ", "))"
    }
}
