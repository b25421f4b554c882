import DocumentValues
import GatewayCore

/// Revisions of one database that were sent as differences.
struct DeltaMetrics: Sendable {
    let database: String
    let counts: DeltaCounts.Values
    let remembered: Int

    /// For the databases that use differences.
    static func all(_ databases: [GatewayDatabase]) -> [DeltaMetrics] {
        databases.filter(\.usesDeltas).map { database in
            DeltaMetrics(
                database: database.name, counts: database.documents.deltaCounts.values,
                remembered: database.documents.rememberedDeltas)
        }
    }

    private struct Family: Sendable {
        let name: String
        var kind = MetricsText.Kind.counter
        let help: String
        let value: @Sendable (DeltaMetrics) -> Int
    }

    private static let families: [Family] = [
        Family(name: "deltas_requested", help: "Revisions that could have been sent as differences.") {
            $0.counts.requested
        },
        Family(name: "deltas_sent", help: "Revisions that were sent as differences.") { $0.counts.sent },
        Family(name: "delta_push_doc_count", help: "Revisions that were pushed as differences.") { $0.counts.pushed },
        Family(name: "delta_cache_hit", help: "Differences that were found in the cache.") { $0.counts.hits },
        // The name is Sync Gateway's.
        Family(name: "delta_sync_miss", help: "Differences that were not found in the cache.") { $0.counts.misses },
        Family(name: "delta_cache_num_items", kind: .gauge, help: "Differences in the cache.") {
            $0.remembered
        },
    ]

    static func add(_ metrics: [DeltaMetrics], to text: inout MetricsText) {
        let metrics = metrics.sorted { $0.database < $1.database }
        for family in families {
            text.family(
                "sgw_delta_sync_\(family.name)", kind: family.kind, help: family.help,
                values: metrics.map { ("database=\"\($0.database)\"", family.value($0)) })
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
