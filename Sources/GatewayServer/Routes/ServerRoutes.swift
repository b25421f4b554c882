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
        let databases = call.context.databases
        let (served, faults) = (databases.all, databases.allFaults)
        guard call.request.flag("verbose") else {
            return .json(.array((served.map(\.name) + faults.map(\.name)).sorted().map { .string($0) }))
        }
        let rows: [(name: String, row: JSONObject)] =
            served.map { database in
                let bucket = database.configuration().json["bucket"] ?? .string(database.name)
                let state = JSONValue.string(database.state.rawValue)
                var row: JSONObject = ["db_name": .string(database.name), "bucket": bucket, "state": state]
                row["damage"] = database.damage.map { .string($0) }
                row["storage_fault"] = database.storageFault.map { .object($0.json) }
                return (database.name, row)
            }
            + faults.map { fault in
                var row = state(of: fault.error)
                row["db_name"] = .string(fault.name)
                return (fault.name, row)
            }
        return .json(.array(rows.sorted { $0.name < $1.name }.map { .object($0.row) }))
    }

    /// The state of a database that exists and cannot be served.
    private static func state(of fault: GatewayError) -> JSONObject {
        ["state": "Unavailable", "reason": .string(fault.reason)]
    }

    /// The metrics, for callers that do not use the metrics port.
    @Sendable static func numbers(_ call: RouteCall) async throws -> Response {
        numbers(of: call.context)
    }

    static func numbers(of gateway: GatewayContext) -> Response {
        let numbers = gateway.metrics.json(with: GatewayReadings(gateway))
        return .bytes(
            JSONValue.object(["syncgateway": .object(numbers)]).bytes, type: "application/json; charset=utf-8")
    }

    @Sendable static func status(_ call: RouteCall) async throws -> Response {
        var databases = JSONObject()
        for name in call.context.databases.names {
            guard let database = call.context.databases.database(name) else { continue }
            var row: JSONObject = [
                "seq": .number(JSONNumber(database.lastSequence)), "state": .string(database.state.rawValue),
            ]
            // Sync Gateway has no such members.
            if database.isDiskFull { row["disk_full"] = true }
            row["damage"] = database.damage.map { .string($0) }
            row["storage_fault"] = database.storageFault.map { .object($0.json) }
            if database.missingReserve > 0 { row["reserve_missing_bytes"] = .int(database.missingReserve) }
            databases[name] = .object(row)
        }
        for fault in call.context.databases.allFaults { databases[fault.name] = .object(state(of: fault.error)) }
        var answer: JSONObject = [
            "databases": .object(databases), "version": .string(GatewayIdentity.serverHeader),
            "vendor": ["name": .string(GatewayIdentity.product), "version": .string(GatewayIdentity.version)],
        ]
        if let lost = call.context.logs.audit?.lines.lost, lost > 0 { answer["audit_lines_lost"] = .int(lost) }
        return .json(.object(answer))
    }
}
