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
                throw GatewayError.limitOfNames
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
        // Read before the rest: so a client that sends the version back notices a change in between.
        let version = try await principals.version(ofUser: name)
        return .json(.object(try await principals.user(name)), headers: version.map { [.principalVersion: $0] } ?? [:])
    }

    @Sendable static func addUser(_ call: RouteCall) async throws -> Response {
        let json = try await call.request.bytes()
        _ = try await changingUser(named(json), json: json, of: call) { principals in
            try await principals.putUser(nil, json: json)
        }
        return .empty(.created)
    }

    @Sendable static func putUser(_ call: RouteCall) async throws -> Response {
        let (name, json) = (call.parameters[0], try await call.request.bytes())
        let outcome = try await changingUser(name, json: json, of: call) { principals in
            try await principals.putUser(Name(name), json: json, where: precondition(call))
        }
        return .empty(outcome == .created ? .created : .ok)
    }

    @Sendable static func deleteUser(_ call: RouteCall) async throws -> Response {
        let name = call.parameters[0]
        try await changingUser(name, of: call) { try await $0.deleteUser(Name(name)) }
        return .empty()
    }

    private static func changingUser<Value>(
        _ name: String, json: [UInt8] = [], of call: RouteCall, change: (PrincipalService) async throws -> Value
    ) async throws -> Value {
        let principals = try call.database.principals
        let object = (try? JSONObject(parsing: json)) ?? [:]
        var hidden = JSONObject()
        if object["password"]?.stringValue?.isEmpty == false { hidden["password"] = true }
        if object["end_connections"]?.boolValue == true { hidden["end_connections"] = true }
        let database = try call.database.name
        return try await call.audited("user", name: name, hidden: hidden) {
            try await principals.user(Name(name))
        } change: {
            let value = try await change(principals)
            if hidden["password"] != nil || object["disabled"]?.boolValue == false {
                call.context.logins.forgive(Name(name), of: database)
            }
            return value
        }
    }

    private static func changingRole<Value>(
        _ name: String, of call: RouteCall, change: (PrincipalService) async throws -> Value
    ) async throws -> Value {
        let principals = try call.database.principals
        return try await call.audited("role", name: name) {
            try await principals.role(Name(name))
        } change: {
            try await change(principals)
        }
    }

    /// The name in a posted body; the service refuses a body without one.
    private static func named(_ json: [UInt8]) -> String {
        (try? JSONObject(parsing: json))?["name"]?.stringValue ?? ""
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
        let json = try await call.request.bytes()
        _ = try await changingRole(named(json), of: call) { try await $0.putRole(nil, json: json) }
        return .empty(.created)
    }

    @Sendable static func putRole(_ call: RouteCall) async throws -> Response {
        let (name, json) = (call.parameters[0], try await call.request.bytes())
        let outcome = try await changingRole(name, of: call) { principals in
            try await principals.putRole(Name(name), json: json, where: precondition(call))
        }
        return .empty(outcome == .created ? .created : .ok)
    }

    @Sendable static func deleteRole(_ call: RouteCall) async throws -> Response {
        let name = call.parameters[0]
        try await changingRole(name, of: call) {
            try await $0.deleteRole(Name(name), purging: call.request.flag("purge"))
        }
        return .empty()
    }

    /// Sync Gateway looks at neither header.
    private static func precondition(_ call: RouteCall) -> PrincipalPrecondition? {
        if let version = call.request.header(.ifMatch)?.withoutQuotes { return .version(version) }
        return call.request.header(.ifNoneMatch)?.isExactly("*") == true ? .absent : nil
    }
}

extension HTTPField.Name {
    /// Of a user or a role, for `If-Match`. Sync Gateway answers without an `ETag` here.
    static let principalVersion = HTTPField.Name("Fieldbook-Version")!
}
