import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird
import SodiumCrypto

/// The requests of administrators about a document, besides reading and writing it.
enum AdminDocumentRoutes {
    @Sendable static func raw(_ call: RouteCall) async throws -> Response {
        let request = call.request
        let isRedacted = request.flag("redact")
        guard !isRedacted || !request.flag("include_doc") else {
            throw GatewayError.redactedDocument
        }
        let details = try await call.database.documents.details(of: call.parameters[0], in: call.collection)
        // Without a salt from the caller, the hash of a name is different each time.
        let given = request.query["salt"].flatMap { $0.isEmpty ? nil : $0 }
        let salt = given ?? Hexadecimal.encode(SecureRandom.bytes(16))
        let document = RawDocument(details: details, pseudonyms: isRedacted ? Pseudonyms(salt: salt) : nil)
        let includesBody = !isRedacted && request.query["include_doc"] != "false"
        return .bytes(document.bytes(includingBody: includesBody), type: "application/json")
    }

    /// The tree in Graphviz's language.
    @Sendable static func revisionTree(_ call: RouteCall) async throws -> Response {
        let details = try await call.database.documents.details(of: call.parameters[0], in: call.collection)
        return .bytes(Array(graph(of: details.tree).utf8), type: "text/plain; charset=UTF-8")
    }

    /// Each leaf with its ancestors, for Graphviz, as Sync Gateway writes it: a root is named by the line to its child,
    /// or, when it has none, by a line from nothing.
    static func graph(of tree: RevisionTree) -> String {
        var text = "digraph graphname{"
        var seen: Set<RevisionID> = []
        for leaf in tree.leaves.reversed() {
            let history = tree.history(of: leaf.revision).ancestors
            for (index, revision) in ([leaf.revision] + history).enumerated() {
                guard index == 0 || index < history.count, seen.insert(revision).inserted else { break }
                let parent = index < history.count ? "\(history[index])" : ""
                if tree.isDeleted(revision) {
                    text += "\"\(revision)\" [fontcolor=red];"
                    text += "\"\(parent)\" -> \"\(revision)\" [label=\"Tombstone\", fontcolor=red];"
                } else {
                    text += "\"\(parent)\" -> \"\(revision)\"; "
                }
            }
        }
        return text + "}"
    }

    /// A channel's list as a page for people.
    @Sendable static func dumpChannel(_ call: RouteCall) async throws -> Response {
        let channel = call.parameters[0]
        let since = call.request.query["since"].flatMap { UInt64($0) } ?? 0
        let request = ChangesRequest(
            collection: call.collection, since: SequenceID(since), channels: [Name(channel)])
        let feed = try call.database.feeds.changes(request, as: .admin)
        var lines: [UInt8] = []
        var first: SequenceID?
        while true {
            let batch = try await feed.next(limit: GatewayServerLimits.feedPage)
            for row in batch.rows {
                first = first ?? row.sequence
                lines += line(row)
            }
            if batch.isCaughtUp { break }
        }
        guard let first, channel != "*" else { throw GatewayError.noSuchChannel }
        let title = escaped("/\(try call.database.name): “\(channel)” Channel")
        let head = """
            <!DOCTYPE html><html><head><title>\(title)</title></head><body>
            \t\t<h1>\(title)</h1><code>
            \t\t<p>Since = \(max(since, first.sequence - 1))</p>
            \t\t<table border=1>
            \t\t\t<tr><th>Seq</th><th>Doc</th><th>Rev</th><th>Flags</th></tr>

            """
        let end = "</table>\n</code></html></body>"
        return .bytes(
            Array(head.utf8) + lines + Array(end.utf8), type: "text/html; charset=\"UTF-8\"", headers: isolation)
    }

    /// The flags are Sync Gateway's: 1 for a tombstone, 2 for a document that left the channel.
    private static func line(_ row: FeedRow) -> [UInt8] {
        let flags = (row.isDeleted ? 1 : 0) | (row.removed.isEmpty ? 0 : 2)
        let bits = String(flags, radix: 2)
        let cells = [
            "\(row.sequence)", escaped(row.id), row.revision.map { "\($0)" } ?? "",
            String(repeating: "0", count: 8 - bits.count) + bits,
        ]
        return Array("\t<tr>\(cells.map { "<td>\($0)</td>" }.joined())</tr>\n".utf8)
    }

    /// Writers choose the ids, and an administrator's browser shows this page: it must not run scripts.
    private static let isolation: HTTPFields = [
        .contentSecurityPolicy: "sandbox", .xContentTypeOptions: "nosniff",
    ]

    /// Scalar by scalar: some signs join the `<` behind them to one `Character`.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&#34;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    @Sendable static func purge(_ call: RouteCall) async throws -> Response {
        let object: JSONObject
        do { object = try await call.request.object() } catch let error as GatewayError
            where [400, 415].contains(error.status)
        {
            // Sync Gateway's text. A body that is too large or too slow gets its own refusal.
            throw GatewayError.missingPurgeIDs
        }
        let ids = object.compactMap { $0.value == ["*"] ? $0.key : nil }
        let purged = try await call.database.documents.purge(ids, in: call.collection)
        let rows = purged.map { "\(JSONValue.string($0)) : [\"*\"]\n" }
        return .bytes(
            Array("{\"purged\":{\r\n\(rows.joined(separator: ","))}\n}\n".utf8), type: "application/json",
            headers: ChangesWriter.noCache)
    }
}
