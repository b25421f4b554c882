import DocumentValues
import GatewayCore

/// An administrator's change of a user or a role, for the audit log, which so shows since when a user had which rights.
struct PrincipalChange {
    private static let members = ["admin_channels", "admin_roles", "disabled", "email"]

    /// The changed members with their new values; of secret ones only their names.
    let changed: JSONObject

    /// - Parameters:
    ///   - before: as the admin port shows it; `nil` where there was none.
    ///   - after: the same afterwards; `nil` if it was deleted.
    ///   - hidden: changes of the request that no value shows.
    init(before: JSONObject?, after: JSONObject?, hidden: JSONObject = [:]) {
        var changed = JSONObject()
        if after == nil { changed["deleted"] = true }
        if before == nil { changed["created"] = true }
        for member in after == nil ? [] : Self.members where before?[member] != after?[member] {
            changed[member] = after?[member] ?? .null
        }
        let access = (Self.access(before), Self.access(after))
        if after != nil, access.0 != access.1 { changed["collection_access"] = .object(access.1) }
        self.changed = changed.setting(hidden)
    }

    /// The channels that an administrator granted, by collection; without those of roles and sync functions.
    private static func access(_ principal: JSONObject?) -> JSONObject {
        var given = JSONObject()
        for scope in principal?["collection_access"]?.objectValue ?? [:] {
            for collection in scope.value.objectValue ?? [:] {
                guard let channels = collection.value["admin_channels"]?.arrayValue, !channels.isEmpty else { continue }
                given["\(scope.key).\(collection.key)"] = .array(channels)
            }
        }
        return given
    }
}

extension RouteCall {
    /// Changes a principal, and logs the change.
    ///
    /// - Parameters:
    ///   - kind: `user` or `role`.
    ///   - present: the principal as it is; throws 404 where there is none.
    func audited<Value>(
        _ kind: String, name: String, hidden: JSONObject = [:], present: () async throws -> JSONObject,
        change: () async throws -> Value
    ) async throws -> Value {
        guard let audit = context.logs.audit else { return try await change() }
        let before = try await Self.found(present)
        let value = try await change()
        let change = PrincipalChange(
            before: before, after: try await Self.found(present), hidden: hidden)
        guard !change.changed.isEmpty else { return value }
        audit.principal(
            kind, name: name, database: try database.name, actor: context.administrators.actor(of: request),
            client: request.client, changed: change.changed)
        return value
    }

    private static func found(_ present: () async throws -> JSONObject) async throws -> JSONObject? {
        do { return try await present() } catch let error as GatewayError where error.status == 404 { return nil }
    }
}
