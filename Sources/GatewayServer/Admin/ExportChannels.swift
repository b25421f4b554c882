import DocumentValues

/// Checks that the channels of an export exist. With a mistyped one it would export nothing, and report the sequence from
/// which the next export goes on: the skipped documents would be in neither.
struct ExportChannels {
    let client: AdminClient
    let database: String

    /// - Parameter collections: those of the database, such as `field.sites`.
    /// - Throws: an `AdminError` that names the first channel that never had a document and is not granted to any user or
    ///   role.
    func check(_ channels: [Name], in collections: [String]) async throws {
        for channel in channels where try await !hasDocuments(channel, in: collections) {
            let granted = try await granted()
            guard !granted.containsExactly(channel.text) else { continue }
            throw AdminError(
                .refused(404),
                problem: "No document was ever in the channel '\(channel.text)', and no user has it"
                    + Suggestion.text(for: channel.text, among: granted.filter { !$0.isExactly("*") }),
                hint: "Nothing was exported. The channel of a district is district.NAME")
        }
    }

    private func hasDocuments(_ channel: Name, in collections: [String]) async throws -> Bool {
        // These two always exist, with or without documents.
        if channel == "*" || channel == "!" { return true }
        for collection in collections {
            let path =
                "\(AdminPath.keyspace(collection, of: database))/_changes?limit=1&filter=sync_gateway%2Fbychannel"
                + "&channels=\(AdminPath.escaped(channel.text))"
            let answer = try JSONObject(
                parsing: try await client.send(.get, path: path), depth: JSONLimits.answerDepth)
            if answer["results"]?.arrayValue?.isEmpty == false { return true }
        }
        return false
    }

    /// The channels of users and roles, in any collection, granted by an administrator or a sync function.
    private func granted() async throws -> [String] {
        let database = AdminDatabase(self.database, client: client)
        var principals = try await database.users()
        for role in try await database.names(.role) {
            if let known = try await database.principal(.role, principal: role) { principals.append(known) }
        }
        return principals.flatMap { DirectChannels(of: $0).allChannels + Self.heldChannels(of: $0) }
    }

    private static func heldChannels(of principal: JSONObject) -> [String] {
        let scopes = (principal["collection_access"]?.objectValue ?? [:]).compactMap(\.value.objectValue)
        let collections = scopes.flatMap { $0.map(\.value) }
        return ([.object(principal)] + collections).flatMap { $0["all_channels"]?.texts ?? [] }
    }
}
