import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// Users and roles. Their bodies are JSON whatever content type they name, as Sync Gateway takes them.
enum PrincipalRoutes {
    @Sendable static func users(_ call: RouteCall) async throws -> Response {
        let names = try await call.database.principals.userNames()
        let limit = call.request.query["limit"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        guard let text = call.request.query["name_only"], text != "true" else {
            guard limit == nil else {
                throw GatewayError(400, reason: "Use of limit only supported when name_only=false")
            }
            return .json(.array(names.map { .string($0.text) }))
        }
        var objects: [JSONValue] = []
        for name in names.prefix(limit ?? .max) {
            objects.append(.object(try await call.database.principals.user(name)))
        }
        return .json(.array(objects))
    }

    @Sendable static func user(_ call: RouteCall) async throws -> Response {
        let (principals, name) = (try call.database.principals, Name(call.parameters[0]))
        // Before the rest: a change between the two is noticed by who sends it back.
        let version = try await principals.version(ofUser: name)
        return .json(.object(try await principals.user(name)), headers: version.map { [.principalVersion: $0] } ?? [:])
    }

    @Sendable static func addUser(_ call: RouteCall) async throws -> Response {
        _ = try await call.database.principals.putUser(nil, json: try await call.request.bytes())
        return .empty(.created)
    }

    @Sendable static func putUser(_ call: RouteCall) async throws -> Response {
        let outcome = try await call.database.principals.putUser(
            Name(call.parameters[0]), json: try await call.request.bytes(), ifMatch: statedVersion(call))
        return .empty(outcome == .created ? .created : .ok)
    }

    @Sendable static func deleteUser(_ call: RouteCall) async throws -> Response {
        try await call.database.principals.deleteUser(Name(call.parameters[0]))
        return .empty()
    }

    @Sendable static func roles(_ call: RouteCall) async throws -> Response {
        let names = try await call.database.principals.roleNames(includingDeleted: call.request.flag("deleted"))
        return .json(.array(names.map { .string($0.text) }))
    }

    @Sendable static func role(_ call: RouteCall) async throws -> Response {
        let (principals, name) = (try call.database.principals, Name(call.parameters[0]))
        let version = try await principals.version(ofRole: name)
        return .json(.object(try await principals.role(name)), headers: version.map { [.principalVersion: $0] } ?? [:])
    }

    @Sendable static func addRole(_ call: RouteCall) async throws -> Response {
        _ = try await call.database.principals.putRole(nil, json: try await call.request.bytes())
        return .empty(.created)
    }

    @Sendable static func putRole(_ call: RouteCall) async throws -> Response {
        let outcome = try await call.database.principals.putRole(
            Name(call.parameters[0]), json: try await call.request.bytes(), ifMatch: statedVersion(call))
        return .empty(outcome == .created ? .created : .ok)
    }

    @Sendable static func deleteRole(_ call: RouteCall) async throws -> Response {
        try await call.database.principals.deleteRole(Name(call.parameters[0]), purging: call.request.flag("purge"))
        return .empty()
    }

    /// Sync Gateway does not look at it.
    private static func statedVersion(_ call: RouteCall) -> String? {
        call.request.header(.ifMatch)?.withoutQuotes
    }
}

extension HTTPField.Name {
    /// Of a user or a role, for `If-Match`. Sync Gateway answers without an `ETag` here.
    static let principalVersion = HTTPField.Name("Fieldbook-Version")!
}
