import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird
import NIOCore

/// Routes of the server itself.
enum ServerRoutes {
    @Sendable static func welcome(_ call: RouteCall) async throws -> Response {
        var object: JSONObject = call.isAdmin ? ["ADMIN": true] : [:]
        object["couchdb"] = "Welcome"
        object["vendor"] = ["name": .string(GatewayIdentity.product), "version": .string(GatewayIdentity.version)]
        object["version"] = .string(GatewayIdentity.serverHeader)
        object["persistent_config"] = true
        return .json(.object(object))
    }

    @Sendable static func ping(_ call: RouteCall) async throws -> Response { pong }

    static let pong = Response.bytes(Array("OK".utf8), type: "text/plain; charset=UTF-8")

    @Sendable static func allDatabases(_ call: RouteCall) async throws -> Response {
        let names = call.context.databases.names
        guard call.request.flag("verbose") else { return .json(.array(names.map { .string($0) })) }
        return .json(
            .array(
                names.compactMap { name in
                    call.context.databases.database(name).map {
                        [
                            "db_name": .string(name), "bucket": $0.configuration().json["bucket"] ?? .string(name),
                            "state": .string($0.state.rawValue),
                        ]
                    }
                }))
    }

    /// What is counted, for those who do not ask the metrics port.
    @Sendable static func numbers(_ call: RouteCall) async throws -> Response {
        numbers(of: call.context)
    }

    static func numbers(of gateway: GatewayContext) -> Response {
        let all = gateway.databases.all
        let numbers = gateway.metrics.json(
            auditLines: gateway.audit?.lines ?? 0, log: gateway.logCounts,
            activities: ActivityMetrics.all(all), deltas: DeltaMetrics.all(all))
        return .bytes(
            JSONValue.object(["syncgateway": .object(numbers)]).bytes, type: "application/json; charset=utf-8")
    }

    @Sendable static func status(_ call: RouteCall) async throws -> Response {
        var databases = JSONObject()
        for name in call.context.databases.names {
            guard let database = call.context.databases.database(name) else { continue }
            databases[name] = [
                "seq": .number(JSONNumber(database.lastSequence)), "state": .string(database.state.rawValue),
            ]
        }
        return .json([
            "databases": .object(databases), "version": .string(GatewayIdentity.serverHeader),
            "vendor": ["name": .string(GatewayIdentity.product), "version": .string(GatewayIdentity.version)],
        ])
    }
}
