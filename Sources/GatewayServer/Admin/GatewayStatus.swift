import DocumentValues
import Foundation

/// A running gateway at a glance, as its admin port tells.
package struct GatewayStatus: Sendable {
    package struct Database: Sendable {
        package let name: String
        /// `Online`, `Offline` or `Resyncing`.
        package let state: String
        /// Sync connections that are open.
        package let syncing: Int
        package let users: Int
        /// Documents that were not taken lately.
        package let refusals: Int
    }

    package let databases: [Database]
    /// `2027-01-31`; `nil` without TLS.
    package let certificateEnd: String?

    package static func read(_ configuration: GatewayConfiguration) async throws -> GatewayStatus {
        let client = try AdminClient(configuration)
        let answer = try JSONObject(parsing: try await client.send(.get, "/_status"))
        let numbers = try JSONObject(parsing: try await client.send(.get, "/_expvar"))["syncgateway"]?["per_db"]
        var databases: [Database] = []
        for member in answer["databases"]?.objectValue ?? [:] {
            let database = AdminDatabase(member.key, client)
            let active = numbers?[member.key]?["database"]?["num_replications_active"]?.integerValue ?? 0
            databases.append(
                Database(
                    name: member.key, state: member.value["state"]?.stringValue ?? "", syncing: Int(active),
                    users: try await database.names(.user).count, refusals: try await database.refusals().count))
        }
        let end = try configuration.tls.map { try CertificateFiles($0).expires() }
        return GatewayStatus(
            databases: databases, certificateEnd: end?.formatted(.iso8601.year().month().day()))
    }

    package var json: JSONObject {
        [
            "databases": .array(
                databases.map {
                    [
                        "name": .string($0.name), "state": .string($0.state), "syncing": .int($0.syncing),
                        "users": .int($0.users), "refusals": .int($0.refusals),
                    ]
                }),
            "certificate_end": certificateEnd.map { .string($0) } ?? .null,
        ]
    }
}
