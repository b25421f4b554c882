import DocumentValues
import GatewayCore
import Hummingbird

/// `_compact`: gives back what a database no longer needs.
enum CompactionRoutes {
    @Sendable static func status(_ call: RouteCall) async throws -> Response {
        .json(.object(try database(call).maintenance.compactionStatus(try kind(call)).json))
    }

    @Sendable static func act(_ call: RouteCall) async throws -> Response {
        let action = call.request.query["action"] ?? "start"
        guard action == "start" || action == "stop" else {
            throw GatewayError.unknownAction
        }
        let kind = try kind(call)
        let status =
            action == "start"
            ? try database(call).maintenance.startCompaction(kind) : try database(call).maintenance.stopCompaction(kind)
        return .json(.object(status.json))
    }

    private static func database(_ call: RouteCall) throws -> GatewayDatabase {
        guard try call.database.state == .online else { throw GatewayError.underMaintenance }
        return try call.database
    }

    private static func kind(_ call: RouteCall) throws(GatewayError) -> CompactionStatus.Kind {
        guard let text = call.request.query["type"], !text.isEmpty else { return .tombstone }
        guard let kind = CompactionStatus.Kind(exactly: text) else {
            throw GatewayError.unknownCompaction
        }
        return kind
    }
}
