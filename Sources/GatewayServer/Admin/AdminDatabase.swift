import DocumentValues

/// One database of a running gateway, as the commands work on it over the admin port.
package struct AdminDatabase: Sendable {
    package let name: String
    private let client: AdminClient

    package init(_ name: String, client: AdminClient) {
        self.name = name
        self.client = client
    }

    /// Users or roles.
    package enum Kind: String, Sendable {
        case user = "_user"
        case role = "_role"
    }

    // MARK: - Configuration

    /// `nil` if there is no such database.
    func configuration() async throws -> JSONObject? {
        let answer = try await client.request(.get, path: AdminPath.of(name, rest: "_config"))
        if answer.status == 404 { return nil }
        return try JSONObject(parsing: try client.checked(answer))
    }

    /// The configuration; an error with the names of the existing databases if this one does not exist.
    package func existingConfiguration() async throws -> JSONObject {
        if let configuration = try await configuration() { return configuration }
        let known = try JSONValue(parsing: try await client.send(.get, path: "/_all_dbs")).texts ?? []
        let hint = known.isEmpty ? "There is none yet" : "There is: \(known.joined(separator: ", "))"
        throw AdminError(
            .refused(404), problem: "There is no database '\(name)'\(Suggestion.text(for: name, among: known))",
            hint: hint)
    }

    func create(_ configuration: JSONObject) async throws {
        try await client.send(.put, path: "/\(AdminPath.escaped(name))/", body: configuration.bytes)
    }

    /// Changes the configuration, depending on its present value. If another command changes it at the same time,
    /// `change` is called again.
    ///
    /// - Parameter change: gets the present configuration; returns the members to change, `nil` for none.
    func updateConfiguration(by change: (JSONObject) async throws -> JSONObject?) async throws {
        let path = AdminPath.of(name, rest: "_config")
        for _ in 0..<GatewayServerLimits.adminAttempts {
            let found = try await client.request(.get, path: path)
            guard let object = try await change(JSONObject(parsing: try client.checked(found))) else { return }
            let answer = try await client.request(
                .post, path: path, body: object.bytes, where: found.version.map { .version($0) })
            if answer.status == 412 { continue }
            _ = try client.checked(answer)
            return
        }
        throw tooBusy("the configuration of '\(name)'")
    }

    private func tooBusy(_ what: String) -> AdminError {
        AdminError(
            .refused(412), problem: "Other requests keep changing \(what) at the same time",
            hint: "Nothing was changed; try again")
    }

    /// The collections, each with its configuration.
    package func collections() async throws -> [(name: CollectionName, entry: JSONObject)] {
        let configuration = try await existingConfiguration()
        guard let scopes = configuration["scopes"]?.objectValue, !scopes.isEmpty else {
            return [(.default, configuration)]
        }
        return scopes.flatMap { scope in
            (scope.value["collections"]?.objectValue ?? [:]).compactMap { member in
                (try? CollectionName(scope: scope.key, name: member.key))
                    .map { (name: $0, entry: member.value.objectValue ?? [:]) }
            }
        }
    }

    /// Adds a collection; existing ones stay.
    package func add(_ collection: CollectionName, entry: JSONObject) async throws {
        _ = try await existingConfiguration()
        try await updateConfiguration { configuration in
            var collections = configuration["scopes"]?[collection.scope]?["collections"]?.objectValue ?? [:]
            guard collections[collection.name] == nil else {
                throw AdminError(
                    .refused(409), problem: "The database '\(name)' has a collection \(collection) already")
            }
            collections[collection.name] = .object(entry)
            return ["scopes": [collection.scope: ["collections": .object(collections)]]]
        }
    }

    /// Documents that were refused lately, newest last.
    package func refusals() async throws -> [JSONObject] {
        _ = try await existingConfiguration()
        let answer = try JSONObject(parsing: try await client.send(.get, path: AdminPath.of(name, rest: "_refusals")))
        return (answer["refusals"]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    /// The result of a sync function for a document that is not stored.
    ///
    /// - Parameter question: the body of `_try_sync_function`.
    package func trySyncFunction(_ question: JSONObject, in collection: CollectionName) async throws -> JSONObject {
        let known = try await collections().map(\.name)
        guard known.contains(collection) else {
            let names = known.map { "\($0)" }
            let hint = Suggestion.text(for: "\(collection)", among: names)
            throw AdminError(
                .refused(404), problem: "The database '\(name)' has no collection \(collection)\(hint)",
                hint: "There is: \(names.joined(separator: ", "))")
        }
        let path = AdminPath.keyspace("\(collection)", of: name) + "/_try_sync_function"
        return try JSONObject(parsing: try await client.send(.post, path: path, body: question.bytes))
    }

    /// The last sign-ins of each user: one for each program or laptop, the newest first; none for a user who never signed in.
    package func signIns() async throws -> (String) -> [(at: String, agent: String)] {
        let answer = try JSONObject(parsing: try await client.send(.get, path: AdminPath.of(name, rest: "_sign_ins")))
        let all = answer["sign_ins"]?.arrayValue ?? []
        let byName = Dictionary(grouping: all) { Name($0["user"]?.stringValue ?? "") }
        return { name in
            (byName[Name(name)] ?? []).map { signIn in
                (at: signIn["at"]?.stringValue ?? "", agent: signIn["agent"]?.stringValue ?? "")
            }
        }
    }

    // MARK: - Users and roles

    package func names(_ kind: Kind) async throws -> [String] {
        _ = try await existingConfiguration()
        return try JSONValue(parsing: try await client.send(.get, path: AdminPath.of(name, rest: kind.rawValue))).texts
            ?? []
    }

    /// Every user as the admin port shows them.
    package func users() async throws -> [JSONObject] {
        _ = try await existingConfiguration()
        let list = try await client.send(.get, path: AdminPath.of(name, rest: Kind.user.rawValue) + "?name_only=false")
        return (try JSONValue(parsing: list).arrayValue ?? []).compactMap(\.objectValue)
    }

    /// `nil` if there is no user or role of that name.
    package func principal(_ kind: Kind, principal: String) async throws -> JSONObject? {
        let answer = try await client.request(.get, path: AdminPath.of(name, rest: kind.rawValue, name: principal))
        if answer.status == 404 { return nil }
        return try JSONObject(parsing: try client.checked(answer))
    }

    /// The user or role; if there is none, an error with the most similar name.
    package func existing(_ kind: Kind, principal: String) async throws -> JSONObject {
        if let found = try await self.principal(kind, principal: principal) { return found }
        let kindName = kind == .user ? "user" : "role"
        let near = Suggestion.text(for: principal, among: try await names(kind))
        throw AdminError(.refused(404), problem: "There is no \(kindName) '\(principal)' in '\(name)'\(near)")
    }

    /// Makes or changes a user or a role, depending on its present value. If another command changes it at the same time,
    /// `change` is called again with the new value, so that neither command undoes changes of the other.
    ///
    /// - Parameter change: gets the user or role as it is, `nil` where there is none; returns the members to change, `nil`
    ///   for none.
    package func update(
        _ kind: Kind, principal: String, by change: (_ present: JSONObject?) async throws -> JSONObject?
    ) async throws {
        _ = try await existingConfiguration()
        let path = AdminPath.of(name, rest: kind.rawValue, name: principal)
        for _ in 0..<GatewayServerLimits.adminAttempts {
            let found = try await client.request(.get, path: path)
            let present = found.status == 404 ? nil : try JSONObject(parsing: try client.checked(found))
            guard let object = try await change(present) else { return }
            let answer = try await client.request(
                .put, path: path, body: object.bytes,
                where: present == nil ? .absent : found.version.map { .version($0) })
            // 409: it was deleted at the same moment.
            if answer.status == 412 || answer.status == 409 { continue }
            _ = try client.checked(answer)
            return
        }
        throw tooBusy("'\(principal)'")
    }

    package func delete(_ kind: Kind, principal: String) async throws {
        _ = try await existing(kind, principal: principal)
        try await client.send(.delete, path: AdminPath.of(name, rest: kind.rawValue, name: principal))
    }
}
