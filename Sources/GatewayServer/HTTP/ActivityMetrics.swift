import DocumentValues
import GatewayCore

/// The activity of one database since it was opened, under Sync Gateway's names.
struct ActivityMetrics: Sendable {
    let database: String
    let collections: [CollectionName]
    let lastSequence: UInt64
    let values: ActivityCounts.Values

    static func all(_ databases: [GatewayDatabase]) -> [ActivityMetrics] {
        databases.map { database in
            ActivityMetrics(
                database: database.name, collections: database.collections, lastSequence: database.lastSequence,
                values: database.activity.values)
        }
    }

    /// A group of Sync Gateway's, which has another name in `_expvar`.
    private enum Group: String, Sendable {
        case database, security
        case pull = "replication_pull"
        case push = "replication_push"

        var jsonName: String {
            switch self {
            case .database, .security: rawValue
            case .pull, .push: "cbl_\(rawValue)"
            }
        }
    }

    private struct Family<Value: Sendable>: Sendable {
        let name: String
        var kind = MetricsText.Kind.counter
        let help: String
        let value: @Sendable (Value) -> Int

        init(_ name: String, help: String, value: @escaping @Sendable (Value) -> Int) {
            self.name = name
            self.help = help
            self.value = value
        }

        static func gauge(_ name: String, help: String, value: @escaping @Sendable (Value) -> Int) -> Family {
            var family = Family(name, help: help, value: value)
            family.kind = .gauge
            return family
        }
    }

    // MARK: - Writing

    static func add(_ metrics: [ActivityMetrics], to text: inout MetricsText) {
        let metrics = metrics.sorted { $0.database < $1.database }
        for (group, families) in families {
            for family in families {
                text.family(
                    "sgw_\(group.rawValue)_\(family.name)", kind: family.kind, help: family.help,
                    values: metrics.map { ("database=\"\($0.database)\"", family.value($0)) })
            }
        }
        for family in collectionFamilies {
            text.family(
                "sgw_collection_\(family.name)", kind: family.kind, help: family.help,
                values: metrics.flatMap { metric in
                    metric.collections.map { name in
                        let labels = "collection=\"\(name.scope).\(name.name)\",database=\"\(metric.database)\""
                        return (labels, family.value(metric.values.counts(of: name)))
                    }
                })
        }
    }

    /// To the numbers of each database.
    static func add(_ metrics: [ActivityMetrics], to databases: inout JSONObject) {
        for metric in metrics {
            var numbers = databases[metric.database]?.objectValue ?? [:]
            for (group, families) in families {
                var members = numbers[group.jsonName]?.objectValue ?? [:]
                for family in families { members[family.name] = .int(family.value(metric)) }
                numbers[group.jsonName] = .object(members)
            }
            var collections = JSONObject()
            for name in metric.collections {
                let counts = metric.values.counts(of: name)
                let members = collectionFamilies.map {
                    JSONObject.Member(key: $0.name, value: .int($0.value(counts)))
                }
                collections["\(name.scope).\(name.name)"] = .object(JSONObject(members: members))
            }
            numbers["per_collection"] = .object(collections)
            databases[metric.database] = .object(numbers)
        }
    }

    // MARK: - Reports

    private static let families: [(Group, [Family<ActivityMetrics>])] = [
        (.database, database), (.security, security), (.pull, pull), (.push, push),
    ]

    private static let database: [Family<ActivityMetrics>] = [
        Family("num_doc_writes", help: "Documents stored, by REST and by the sync endpoint.") {
            $0.values.total.writes
        },
        Family("doc_writes_bytes", help: "Bytes of the bodies of documents stored.") { $0.values.total.writtenBytes },
        Family("doc_writes_bytes_blip", help: "Bytes of the revisions pushed to the sync endpoint.") {
            $0.values.sync.receivedBytes
        },
        Family("tombstone_count", help: "Deletions stored.") { $0.values.total.tombstones },
        Family("num_public_all_docs_requests", help: "Lists of all documents requested on the public port.") {
            $0.values.publicLists
        },
        Family("resync_num_processed", help: "Documents that a resync examined.") {
            $0.values.total.resyncedDocuments
        },
        Family("resync_num_changed", help: "Documents that a resync changed.") { $0.values.total.resyncChanges },
        Family("num_doc_reads_rest", help: "Documents read by REST.") { $0.values.restReads },
        Family("num_doc_reads_blip", help: "Revisions sent by the sync endpoint.") { $0.values.sync.sent },
        Family("doc_reads_bytes_blip", help: "Bytes of the revisions sent by the sync endpoint.") {
            $0.values.sync.sentBytes
        },
        Family("sync_function_count", help: "Calls of sync functions.") { $0.values.total.function.calls },
        Family("sync_function_time", help: "Nanoseconds waited for sync functions.") { $0.values.total.function.time },
        Family("sync_function_exception_count", help: "Calls of sync functions that failed.") {
            $0.values.total.function.exceptions
        },
        Family("last_sequence_assigned_value", help: "The last sequence number.") { Int(clamping: $0.lastSequence) },
    ]

    private static let security: [Family<ActivityMetrics>] = [
        Family("num_docs_rejected", help: "Documents that sync functions refused.") {
            $0.values.total.function.refusals
        },
        Family("num_access_errors", help: "Documents that the require... of sync functions refused.") {
            $0.values.total.function.accessRefusals
        },
    ]

    private static let pull: [Family<ActivityMetrics>] = [
        Family("rev_send_count", help: "Revisions sent by the sync endpoint.") { $0.values.sync.sent },
        Family("norev_send_count", help: "Revisions that clients requested and did not get.") {
            $0.values.sync.unavailable
        },
        Family("attachment_pull_count", help: "Attachments sent.") { $0.values.attachmentsSent },
        Family("attachment_pull_bytes", help: "Bytes of the attachments sent.") { $0.values.attachmentBytesSent },
        .gauge("num_pull_repl_active_continuous", help: "Continuous pulls that are running.") {
            $0.values.sync.continuousFeeds.active
        },
        .gauge("num_pull_repl_active_one_shot", help: "One-shot pulls that are running.") {
            $0.values.sync.oneShotFeeds.active
        },
        .gauge("num_pull_repl_caught_up", help: "Continuous pulls that wait for changes.") { $0.values.sync.waiting },
        Family("num_pull_repl_total_caught_up", help: "How often a continuous pull began to wait for changes.") {
            $0.values.sync.waits
        },
        Family("num_pull_repl_since_zero", help: "Pulls that began at the first change.") {
            $0.values.sync.feedsFromStart
        },
        .gauge("num_pull_repl_total_continuous", help: "Continuous pulls begun.") {
            $0.values.sync.continuousFeeds.total
        },
        .gauge("num_pull_repl_total_one_shot", help: "One-shot pulls begun.") { $0.values.sync.oneShotFeeds.total },
    ]

    private static let push: [Family<ActivityMetrics>] = [
        .gauge("doc_push_count", help: "Revisions pushed and stored.") { $0.values.sync.pushed },
        .gauge("doc_push_error_count", help: "Revisions pushed and refused.") { $0.values.sync.refused },
        Family("propose_change_count", help: "Revisions that clients asked about before they pushed them.") {
            $0.values.sync.proposed
        },
        Family("attachment_push_count", help: "Attachments stored.") { $0.values.attachmentsStored },
        Family("attachment_push_bytes", help: "Bytes of the attachments stored.") { $0.values.attachmentBytesStored },
    ]

    private static let collectionFamilies: [Family<ActivityCounts.Collection>] = [
        Family("num_doc_writes", help: "Documents stored in the collection.") { $0.writes },
        Family("doc_writes_bytes", help: "Bytes of the bodies of documents stored in the collection.") {
            $0.writtenBytes
        },
        Family("resync_num_processed", help: "Documents of the collection that a resync examined.") {
            $0.resyncedDocuments
        },
        Family("resync_num_changed", help: "Documents of the collection that a resync changed.") { $0.resyncChanges },
        Family("num_doc_reads", help: "Documents of the collection sent, by REST and by the sync endpoint.") {
            $0.reads
        },
        Family("doc_reads_bytes", help: "Bytes of the bodies of documents of the collection sent.") { $0.readBytes },
        Family("sync_function_count", help: "Calls of the collection's sync function.") { $0.function.calls },
        Family("sync_function_time", help: "Nanoseconds waited for the collection's sync function.") {
            $0.function.time
        },
        Family("sync_function_reject_count", help: "Documents that the collection's sync function refused.") {
            $0.function.refusals
        },
        Family("sync_function_reject_access_count", help: "Documents that the sync function's require... refused.") {
            $0.function.accessRefusals
        },
        Family("sync_function_exception_count", help: "Calls of the collection's sync function that failed.") {
            $0.function.exceptions
        },
    ]
}
