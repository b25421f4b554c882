import DocumentValues
import GatewayCore
import Hummingbird

/// Requests of tools for operators, as far as they make sense for a single gateway.
enum OperationRoutes {
    /// The databases of each bucket that their configurations name.
    @Sendable static func clusterInfo(_ call: RouteCall) async throws -> Response {
        var buckets = JSONObject()
        for database in call.context.databases.all {
            let (json, version) = database.configuration()
            let bucket = json["bucket"]?.stringValue ?? database.name
            var known = buckets[bucket]?["registry"]?["config_groups"]?["default"]?["databases"]?.objectValue ?? [:]
            known[database.name] = ["scopes": .object(scopes(of: database)), "version": .string(version)]
            buckets[bucket] = [
                "registry": ["version": "1.0", "config_groups": ["default": ["databases": .object(known)]]]
            ]
        }
        return .json(["buckets": .object(buckets)])
    }

    private static func scopes(of database: GatewayDatabase) -> JSONObject {
        var names: [String: [String]] = [:]
        for collection in database.collections { names[collection.scope, default: []].append(collection.name) }
        return JSONObject(
            members: names.sorted { $0.key < $1.key }.map { scope in
                .init(key: scope.key, value: ["collections": .array(scope.value.sorted().map { .string($0) })])
            })
    }

    /// Nothing is left of older versions: there are neither views nor indexes of theirs.
    @Sendable static func postUpgrade(_ call: RouteCall) async throws -> Response {
        let members = call.context.databases.names.map {
            JSONObject.Member(key: $0, value: ["removed_design_docs": [], "removed_indexes": []])
        }
        var answer: JSONObject = ["post_upgrade_results": .object(JSONObject(members: members))]
        if call.request.flag("preview") { answer["preview"] = true }
        return .json(.object(answer))
    }

    @Sendable static func collecting(_ call: RouteCall) async throws -> Response { .json(["status": "stopped"]) }

    // MARK: - Audit

    /// The audit log is one for all databases and has all its events, which have names instead of numbers.
    @Sendable static func audit(_ call: RouteCall) async throws -> Response {
        .json(["enabled": .bool(call.context.logs.audit != nil), "events": [:]])
    }

    /// Accepts the present settings only: one that would have no effect is refused.
    @Sendable static func setAudit(_ call: RouteCall) async throws -> Response {
        let bytes = try await call.request.bytes()
        let body: JSONObject
        do {
            body = try JSONObject(parsing: bytes)
        } catch {
            throw GatewayError.invalidJSON(error)
        }
        let wanted = body["enabled"] ?? .null
        guard wanted.isNull || wanted.boolValue != nil else {
            throw GatewayError.invalidJSON("enabled must be true or false")
        }
        let changes = body.members.contains { $0.key != "enabled" && $0.value != [:] && !$0.value.isNull }
        guard !changes, wanted.isNull || wanted.boolValue == (call.context.logs.audit != nil) else {
            let advice = "logging.audit.enabled in the gateway's configuration file turns it on and off"
            throw GatewayError.unavailableAudit(advice)
        }
        return .empty()
    }

    // MARK: - Replications between gateways, of which there are none

    @Sendable static func replications(_ call: RouteCall) async throws -> Response { .json([:]) }

    @Sendable static func replicationStatuses(_ call: RouteCall) async throws -> Response { .json([]) }

    @Sendable static func noReplication(_ call: RouteCall) async throws -> Response { throw GatewayError.missing }
}
