import DocumentValues
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

    private static let families: [(name: String, type: String, value: @Sendable (DeltaMetrics) -> Int)] = [
        ("deltas_requested", "counter", { $0.counts.requested }), ("deltas_sent", "counter", { $0.counts.sent }),
        ("delta_push_doc_count", "counter", { $0.counts.pushed }), ("delta_cache_hit", "counter", { $0.counts.hits }),
        // The name is Sync Gateway's.
        ("delta_sync_miss", "counter", { $0.counts.misses }), ("delta_cache_num_items", "gauge", { $0.remembered }),
    ]

    static func add(_ metrics: [DeltaMetrics], to text: inout MetricsText) {
        let metrics = metrics.sorted { $0.database < $1.database }
        for family in families {
            text.family(
                "sgw_delta_sync_\(family.name)", family.type,
                metrics.map { ("database=\"\($0.database)\"", family.value($0)) })
        }
    }

    /// To the numbers of each database.
    static func add(_ metrics: [DeltaMetrics], to databases: inout JSONObject) {
        for metric in metrics {
            guard var numbers = databases[metric.database]?.objectValue else { continue }
            let members = families.map { JSONObject.Member(key: $0.name, value: .int($0.value(metric))) }
            numbers["delta_sync"] = .object(JSONObject(members: members))
            databases[metric.database] = .object(numbers)
        }
    }
}
