import DocumentValues

/// Whether the channels that an export is asked for are there. After a slip it would export nothing, and name the sequence with
/// which the next one goes on: what it passed over would be in none of them.
struct ExportChannels {
    let client: AdminClient
    let database: String

    /// - Parameter collections: those of the database, such as `field.sites`.
    /// - Throws: an `AdminError` that names the first channel in which no document has ever been and that nobody was given.
    func check(_ channels: [Name], in collections: [String]) async throws {
        for channel in channels where try await !hasDocuments(channel, in: collections) {
            let granted = try await granted()
            guard !granted.containsExactly(channel.text) else { continue }
            throw AdminError(
                .refused(404),
                problem: "No document was ever in the channel '\(channel.text)', and nobody has it"
                    + Suggestion.text(for: channel.text, among: granted),
                hint: "Nothing was exported. The channel of a district is district.NAME")
        }
    }

    private func hasDocuments(_ channel: Name, in collections: [String]) async throws -> Bool {
        // All documents are in this one, be there any or not.
        if channel == "*" { return true }
        for collection in collections {
            let path =
                "/\(database).\(collection)/_changes?limit=1&filter=sync_gateway%2Fbychannel"
                + "&channels=\(AdminPath.escaped(channel.text))"
            let answer = try JSONObject(
                parsing: try await client.send(.get, path: path), depth: JSONLimits.answerDepth)
            if answer["results"]?.arrayValue?.isEmpty == false { return true }
        }
        return false
    }

    /// What users and roles were given, in any collection.
    private func granted() async throws -> [String] {
        let database = AdminDatabase(self.database, client: client)
        var principals = try await database.users()
        for role in try await database.names(.role) {
            if let known = try await database.principal(.role, principal: role) { principals.append(known) }
        }
        return principals.flatMap { DirectChannels(of: $0).allChannels }
    }
}
