import DocumentValues

/// Whether a `PUT` or `POST` made something new.
package enum UpsertOutcome: Sendable, Hashable { case created, updated }

/// Users and roles, as JSON in the shape of the admin API.
extension GatewayDatabase {
    package func userNames() async throws -> [String] { fatalError("to come") }

    /// 404 `missing`; the guest is always there.
    package func user(_ name: String) async throws -> JSONObject { fatalError("to come") }

    /// `name` is the one in the path, or `nil` for `POST`, which needs it in the body and refuses existing ones.
    package func putUser(_ name: String?, _ json: [UInt8]) async throws -> UpsertOutcome { fatalError("to come") }

    package func deleteUser(_ name: String) async throws { fatalError("to come") }

    package func roleNames(includingDeleted: Bool = false) async throws -> [String] { fatalError("to come") }

    package func role(_ name: String) async throws -> JSONObject { fatalError("to come") }

    package func putRole(_ name: String?, _ json: [UInt8]) async throws -> UpsertOutcome { fatalError("to come") }

    /// Leaves a tombstone, by which its members learn what they lost; `purging` erases that too.
    package func deleteRole(_ name: String, purging: Bool = false) async throws { fatalError("to come") }
}
