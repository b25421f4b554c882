import DocumentValues

/// A page of a list of documents, with their content.
struct ExportPage {
    struct Row {
        let id: String
        /// The row of the gateway's list.
        let entry: JSONValue
        /// `nil` where it cannot be read, since it is damaged at the gateway.
        let document: JSONObject?
    }

    /// All rows of the gateway's list.
    let entries: [JSONValue]
    /// The documents, without those that were purged or replaced since the list was made.
    let rows: [Row]

    /// - Parameters:
    ///   - member: of the answer, with the list.
    ///   - path: the part behind the keyspace, with a query.
    static func read(
        _ member: String, keyspace: String, path: String, client: AdminClient
    ) async throws -> ExportPage {
        func entries(_ more: String) async throws -> [JSONValue] {
            let answer = try await client.send(.get, path: "\(keyspace)/\(path)\(more)")
            return try JSONObject(parsing: answer, depth: JSONLimits.answerDepth)[member]?.arrayValue ?? []
        }
        do {
            return ExportPage(whole: try await entries("&include_docs=true"))
        } catch is JSONError {
            // One damaged document makes the whole page unreadable.
            return try await readEach(of: try await entries(""), keyspace: keyspace, client: client)
        }
    }

    private init(entries: [JSONValue], rows: [Row]) {
        self.entries = entries
        self.rows = rows
    }

    private init(whole entries: [JSONValue]) {
        self.init(
            entries: entries,
            rows: entries.compactMap { entry in
                guard let id = entry["id"]?.stringValue, let document = entry["doc"]?.objectValue else { return nil }
                return Row(id: id, entry: entry, document: document)
            })
    }

    private static func readEach(
        of entries: [JSONValue], keyspace: String, client: AdminClient
    ) async throws -> ExportPage {
        var rows: [Row] = []
        for entry in entries {
            guard let id = entry["id"]?.stringValue else { continue }
            // Without its revision a deletion is not found.
            let revision = entry["deleted"]?.boolValue == true ? entry["changes"]?[0]?["rev"]?.stringValue : nil
            let query = revision.map { "?rev=\(AdminPath.escaped($0))" } ?? ""
            let answer = try await client.request(.get, path: "\(keyspace)/\(AdminPath.escaped(id))\(query)")
            guard answer.status != 404 else { continue }
            rows.append(Row(id: id, entry: entry, document: try document(in: answer, client: client)))
        }
        return ExportPage(entries: entries, rows: rows)
    }

    private static func document(in answer: AdminClient.Answer, client: AdminClient) throws -> JSONObject? {
        // The gateway answers so if it has to check stored data.
        guard answer.status != 400 else { return nil }
        let body = try client.checked(answer)
        do { return try JSONObject(parsing: body, depth: JSONLimits.answerDepth) } catch { return nil }
    }
}
