import GatewayCore

/// Revisions of one database that went as differences.
struct DeltaMetrics: Sendable {
    let database: String
    let counts: DeltaCounts.Values
    let remembered: Int

    /// Of the databases that use them.
    static func all(_ databases: [GatewayDatabase]) -> [DeltaMetrics] {
        databases.filter(\.usesDeltas).map { database in
            DeltaMetrics(
                database: database.name, counts: database.deltaCounts.values, remembered: database.rememberedDeltas)
        }
    }

    static func add(_ metrics: [DeltaMetrics], to text: inout MetricsText) {
        let metrics = metrics.sorted { $0.database < $1.database }
        let families: [(name: String, type: String, value: KeyPath<DeltaMetrics, Int>)] = [
            ("deltas_requested", "counter", \.counts.requested), ("deltas_sent", "counter", \.counts.sent),
            ("delta_push_doc_count", "counter", \.counts.pushed), ("delta_cache_hit", "counter", \.counts.hits),
            // The name is Sync Gateway's.
            ("delta_sync_miss", "counter", \.counts.misses), ("delta_cache_num_items", "gauge", \.remembered),
        ]
        for family in families {
            text.family(
                "sgw_delta_sync_\(family.name)", family.type,
                metrics.map { ("database=\"\($0.database)\"", $0[keyPath: family.value]) })
        }
    }
}
