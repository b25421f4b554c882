import DocumentValues
import GatewayCore
import Hummingbird

/// `_resync`: runs a new sync function on the existing documents.
enum ResyncRoutes {
    @Sendable static func status(_ call: RouteCall) async throws -> Response {
        .json(.object(try call.database.maintenance.resyncStatus.json))
    }

    @Sendable static func act(_ call: RouteCall) async throws -> Response {
        switch call.request.query["action"] ?? "start" {
        case "start": .json(.object(try call.database.maintenance.startResync(try await request(call)).json))
        case "stop": .json(.object(try call.database.maintenance.stopResync().json))
        default: throw GatewayError.unknownAction
        }
    }

    /// `{"scopes": {"scope": ["collection", …]}, "regenerate_sequences": true}`; without a body everything.
    private static func request(_ call: RouteCall) async throws -> ResyncRequest {
        let bytes = try await call.request.bytes(of: "application/json")
        let object = bytes.isEmpty ? [:] : try JSONObject(parsing: bytes)
        var request = ResyncRequest(
            movesAll: object["regenerate_sequences"]?.boolValue ?? call.request.flag("regenerate_sequences"),
            isForced: call.request.flag("force"))
        try MemberTypes(["scopes": .object, "regenerate_sequences": .flag]).check(object) { .badJSON($0) }
        guard let scopes = object["scopes"]?.objectValue, !scopes.isEmpty else { return request }
        var collections: [CollectionName] = []
        for scope in scopes {
            guard let names = scope.value.texts else {
                throw GatewayError.badJSON("scopes.\(scope.key) must be a list of collections")
            }
            for name in names {
                guard let collection = try? CollectionName(scope: scope.key, name: name) else {
                    throw GatewayError.noSuchKeyspace("\(scope.key).\(name)")
                }
                collections.append(collection)
            }
        }
        request.collections = collections
        return request
    }
}
