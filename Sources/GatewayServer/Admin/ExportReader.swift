import DocumentValues

/// Reads the documents of an export, page by page over the admin port.
struct ExportReader {
    private static let page = 500

    let client: AdminClient
    let database: String
    let selection: ExportSelection

    /// The database's present sequence.
    func sequence() async throws -> UInt64 {
        let answer = try JSONObject(parsing: try await client.send(.get, path: AdminPath.of(database, rest: "")))
        guard let sequence = answer["update_seq"].flatMap({ SequenceID(json: $0) }) else {
            throw AdminError(.refused(500), problem: "The gateway does not say where the database '\(database)' is")
        }
        return sequence.sequence
    }

    /// Each document once, as it is when it is read; with `_deleted` or `_removed` if it was deleted or has left the
    /// requested channels.
    ///
    /// - Parameter body: gets no content for a document that is damaged at the gateway and cannot be read.
    func forEachDocument(in collection: String, _ body: (String, JSONObject?) async throws -> Void) async throws {
        if selection.needsChanges {
            try await forEachChange(in: collection, body)
        } else {
            try await forEachID(in: collection, body)
        }
    }

    /// In the order of the ids.
    private func forEachID(in collection: String, _ body: (String, JSONObject?) async throws -> Void) async throws {
        var next: String?
        while true {
            let start = next.map { "&startkey=\(AdminPath.escaped(JSONValue.string($0).description))" } ?? ""
            let page = try await page("rows", of: collection, path: "_all_docs?limit=\(Self.page)\(start)")
            for row in page.rows where takes(row) { try await body(row.id, row.document) }
            guard page.entries.count == Self.page, let last = page.entries.last?["id"]?.stringValue else { return }
            next = last + "\u{0}"
        }
    }

    /// In the order in which they were changed.
    private func forEachChange(
        in collection: String, _ body: (String, JSONObject?) async throws -> Void
    ) async throws {
        var since = "\(selection.startsBehind ?? 0)"
        // A document that changes during the export comes again at the end of the feed.
        var seen: Set<Name> = []
        while true {
            let page = try await page(
                "results",
                of: collection,
                path: "_changes?limit=\(Self.page)"
                    + "&active_only=\(selection.startsBehind == nil)&since=\(AdminPath.escaped(since))\(filter)")
            for row in page.rows where seen.insert(Name(row.id)).inserted && takes(row) {
                let isRemoved = try await hasLeft(row.entry, id: row.id, collection: collection)
                try await body(row.id, isRemoved ? row.document.map(Self.removed) : row.document)
            }
            guard page.entries.count == Self.page, let last = page.entries.last?["seq"] else { return }
            since = last.stringValue ?? last.description
        }
    }

    /// A document whose content cannot be read may belong to the selection.
    private func takes(_ row: ExportPage.Row) -> Bool { row.document.map { selection.takes($0) } ?? true }

    private var filter: String {
        guard !selection.channels.isEmpty else { return "" }
        let names = selection.channels.map(\.text).joined(separator: ",")
        return "&filter=sync_gateway%2Fbychannel&channels=\(AdminPath.escaped(names))"
    }

    /// Whether a row is about a document that is in none of the channels any more. A row with a channel that was left
    /// does not show whether the document is in another one.
    private func hasLeft(_ row: JSONValue, id: String, collection: String) async throws -> Bool {
        guard selection.startsBehind != nil, row["deleted"]?.boolValue != true,
            row["removed"]?.arrayValue?.isEmpty == false
        else { return false }
        let path = AdminPath.keyspace(collection, of: database) + "/_raw/\(AdminPath.escaped(id))?include_doc=false"
        let answer = try await client.request(.get, path: path)
        // Purged since the list was made.
        if answer.status == 404 { return true }
        let raw = try JSONObject(parsing: try client.checked(answer), depth: JSONLimits.answerDepth)
        let channels = raw["_sync"]?["channels"]?.objectValue ?? [:]
        // The stay in a present channel has no end.
        return !selection.channels.contains { channels[$0.text]?.isNull == true }
    }

    private static func removed(_ document: JSONObject) -> JSONObject {
        var removed: JSONObject = [:]
        for member in ["_id", "_rev"] { removed[member] = document[member] }
        removed["_removed"] = true
        return removed
    }

    private func page(_ member: String, of collection: String, path: String) async throws -> ExportPage {
        try await ExportPage.read(
            member, keyspace: AdminPath.keyspace(collection, of: database), path: path, client: client)
    }
}
