import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// `PUT /{db}/` and `DELETE /{db}/`: the only routes whose database need not exist.
enum DatabaseLife {
    /// `nil` for every other request of a database's root.
    static func answer(
        _ request: GatewayRequest, keyspace: Keyspace, gateway: GatewayContext
    ) async throws -> Response? {
        switch request.method {
        case .put:
            guard request.port == .admin else {
                throw GatewayError.creationAtPublicPort
            }
            try await gateway.administrators.check(request, gateway: gateway)
            _ = try await gateway.databases.create(
                keyspace.text, configuration: try await request.bytes(of: "application/json"))
            return .empty(.created)
        case .delete where request.port == .admin:
            try await gateway.administrators.check(request, gateway: gateway)
            let folder = try await gateway.databases.delete(keyspace.text)
            gateway.logs.audit?.deletion(
                of: keyspace.text, actor: gateway.administrators.actor(of: request), client: request.client,
                folder: folder)
            gateway.syncConnections.drop(keyspace.text)
            return .json([:])
        case .get, .head:
            // An invalid database name is not used in a redirect: `//host/` would send a browser to another host.
            guard !request.hasTrailingSlash, keyspace.text.utf8.allSatisfy(isPlain) else { return nil }
            return .empty(.movedPermanently, headers: [.location: "/\(keyspace.text)/"])
        default: return nil
        }
    }
}

extension DatabaseLife {
    /// Letters, digits and the other characters of names of databases and collections; none has to be escaped.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "$"), UInt8(ascii: "+"), UInt8(ascii: "("), UInt8(ascii: ")"):
            true
        default: false
        }
    }
}

/// Routes of one database.
enum DatabaseRoutes {
    @Sendable static func describe(_ call: RouteCall) async throws -> Response {
        let database = try call.database
        let sequence = JSONValue.number(JSONNumber(database.lastSequence))
        var object: JSONObject = [
            "db_name": .string(database.name), "update_seq": sequence, "committed_update_seq": sequence,
            "instance_start_time": .int(database.startTime), "compact_running": false, "purge_seq": 0,
            "disk_format_version": 0, "state": .string(database.state.rawValue),
        ]
        // Sync Gateway has no such member, and it is none of a user's business.
        if call.isAdmin { object["storage_fault"] = database.storageFault.map { .object($0.json) } }
        return .json(.object(object))
    }

    @Sendable static func configuration(_ call: RouteCall) async throws -> Response {
        guard call.request.query["redact"] != "false" else {
            throw GatewayError.redactionStays
        }
        let (json, version) = try call.database.configuration(includesDefaults: call.request.flag("include_runtime"))
        return .json(.object(json), headers: .etag(version))
    }

    @Sendable static func mergeConfiguration(_ call: RouteCall) async throws -> Response {
        try await configure(call, merging: true)
    }

    @Sendable static func replaceConfiguration(_ call: RouteCall) async throws -> Response {
        try await configure(call, merging: false)
    }

    private static func configure(_ call: RouteCall, merging: Bool) async throws -> Response {
        let version = try await call.database.configure(
            try await call.request.bytes(of: "application/json"), merging: merging,
            removesCollections: call.request.flag("remove_collections"),
            removesFunctions: call.request.flag("remove_sync_functions"), ifMatch: statedVersion(call))
        try dropConnections(call)
        return .empty(.created, headers: .etag(version))
    }

    /// `GET …/_config/sync` and its like.
    static func showing(_ function: ConfiguredFunction) -> Route.Handler {
        { call in
            let text = try call.database.text(of: function, of: call.collection)
            return .bytes(
                Array(text.utf8), type: "application/javascript; charset=UTF-8",
                headers: .etag(try call.database.configuration().version))
        }
    }

    static func setting(_ function: ConfiguredFunction) -> Route.Handler {
        { call in
            let bytes = try await call.request.bytes(of: "application/javascript")
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw GatewayError.invalidFunctionText
            }
            // curl sends no bytes for a file that it does not find.
            guard !text.allSatisfy(\.isWhitespace) else { throw noText(of: function) }
            return try await set(function, text: text, call: call)
        }
    }

    private static func noText(of function: ConfiguredFunction) -> GatewayError {
        GatewayError.emptyFunction(function.rawValue)
    }

    static func removing(_ function: ConfiguredFunction) -> Route.Handler {
        { call in try await set(function, text: nil, call: call) }
    }

    private static func set(
        _ function: ConfiguredFunction, text: String?, call: RouteCall
    ) async throws -> Response {
        try await call.database.set(function, to: text, of: call.collection, ifMatch: statedVersion(call))
        try dropConnections(call)
        return .empty()
    }

    private static func statedVersion(_ call: RouteCall) -> String? {
        call.request.header(.ifMatch)?.withoutQuotes
    }

    /// A session keeps to the configuration it began with, so it has to begin again.
    private static func dropConnections(_ call: RouteCall) throws {
        call.context.syncConnections.drop(try call.database.name)
    }

    /// The documents that were refused lately, newest last.
    @Sendable static func refusals(_ call: RouteCall) async throws -> Response {
        .json(["refusals": .array(try call.database.refusals.entries.map { .object($0.json) })])
    }

    /// The last sign-in of each user, by name.
    @Sendable static func signIns(_ call: RouteCall) async throws -> Response {
        .json(["sign_ins": .array(try call.database.signIns.all.map { .object($0.json) })])
    }

    @Sendable static func goOffline(_ call: RouteCall) async throws -> Response {
        try call.database.goOffline()
        return .empty()
    }

    @Sendable static func goOnline(_ call: RouteCall) async throws -> Response {
        try call.database.goOnline()
        try dropConnections(call)
        return .empty()
    }

    /// Every acknowledged write is durable already.
    @Sendable static func ensureFullCommit(_ call: RouteCall) async throws -> Response {
        .json(["instance_start_time": .int(try call.database.startTime), "ok": true], status: .created)
    }
}
