import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// `_local/…`: the checkpoints of replicators.
enum LocalRoutes {
    private static func name(_ call: RouteCall) throws -> String {
        guard !call.parameters[0].utf8.contains(UInt8(ascii: "/")) else {
            throw GatewayError.unknownURL
        }
        return call.parameters[0]
    }

    @Sendable static func get(_ call: RouteCall) async throws -> Response {
        let name = try name(call)
        guard
            let document = try await call.database.documents.localDocument(
                name, in: call.collection, as: call.requester)
        else {
            throw GatewayError.missing
        }
        let members = #""_id":\#(JSONValue.string("_local/" + name)),"_rev":"\#(document.revision)""#
        return .bytes(appendingMembers(Array(members.utf8), toObject: document.body), type: "application/json")
    }

    @Sendable static func put(_ call: RouteCall) async throws -> Response {
        let name = try name(call)
        let object = try await call.request.object()
        let body = object.filter { $0.utf8.first != UInt8(ascii: "_") }.bytes
        call.request.load.endWorkBeforeStoring()
        let revision = try await call.database.documents.putLocalDocument(
            name, body: body, revision: object["_rev"]?.stringValue, in: call.collection, as: call.requester)
        return .json(
            ["id": .string("_local/" + name), "ok": true, "rev": .string(revision)], status: .created)
    }

    @Sendable static func delete(_ call: RouteCall) async throws -> Response {
        try await call.database.documents.deleteLocalDocument(
            try name(call), revision: call.request.query["rev"], in: call.collection, as: call.requester)
        return .empty()
    }
}
