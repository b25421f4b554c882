import DocumentValues
import GatewayCore
import HTTPTypes
import Hummingbird

/// What an administrator can see and do of a document beyond reading and writing it.
enum AdminDocumentRoutes {
    @Sendable static func raw(_ call: RouteCall) async throws -> Response {
        let details = try await call.database.details(of: call.parameters[0], in: call.collection)
        var channels = JSONObject()
        for (name, _) in details.current.sorted(by: { $0.key < $1.key }) { channels[name] = .null }
        for (name, sequence) in details.removed.sorted(by: { $0.key < $1.key }) {
            channels[name] = ["seq": .number(JSONNumber(sequence))]
        }
        var sync: JSONObject = [
            "rev": .string(details.revision.revision.description),
            "sequence": .number(JSONNumber(details.revision.sequence)), "channels": .object(channels),
            "history": .object(Self.history(details.tree)),
        ]
        let flags = Self.flags(details)
        if flags != 0 { sync["flags"] = .int(flags) }
        if let newest = details.tree.nodes.last?.revision, newest != details.revision.revision {
            sync["new_rev"] = .string(newest.description)
        }
        if let attachments = details.revision.attachments { sync["attachments"] = .object(attachments) }
        if let expires = details.revision.expires { sync["exp"] = .string(HTTPDate.rfc3339(expires)) }
        sync["access"] = Self.grants(details.grantedChannels, by: details)
        sync["role_access"] = Self.grants(details.grantedRoles, by: details)
        var members = Array(#""_sync":"#.utf8) + sync.bytes
        guard call.request.query["include_doc"] != "false" else {
            return .bytes(appendingMembers(members, toObject: Array("{}".utf8)), type: "application/json")
        }
        if details.revision.isDeleted { members = Array(#""_deleted":true,"#.utf8) + members }
        return .bytes(appendingMembers(members, toObject: details.revision.body), type: "application/json")
    }

    /// Who is granted what, with the sequence of the revision that grants it; `nil` where nothing is.
    private static func grants(_ granted: [String: Set<String>], by details: DocumentDetails) -> JSONValue? {
        guard !granted.isEmpty else { return nil }
        let sequence = JSONValue.number(JSONNumber(details.revision.sequence))
        var members = JSONObject()
        for (principal, names) in granted.sorted(by: { $0.key < $1.key }) {
            members[principal] = .object(
                JSONObject(members: names.sorted().map { JSONObject.Member(key: $0, value: sequence) }))
        }
        return .object(members)
    }

    private static func history(_ tree: RevisionTree) -> JSONObject {
        let nodes = Array(tree.nodes.reversed())
        var history: JSONObject = [
            "revs": .array(nodes.map { .string($0.revision.description) }),
            "parents": .array(
                nodes.map { node in
                    let parent = tree.history(of: node.revision).parent
                    return .int(nodes.firstIndex { $0.revision == parent } ?? -1)
                }),
        ]
        let deleted = nodes.indices.filter { nodes[$0].isDeleted }
        if !deleted.isEmpty { history["deleted"] = .array(deleted.map { .int($0) }) }
        return history
    }

    /// Sync Gateway's: 1 deleted, 4 another revision is newer than the current one, 8 several live leaves, 16 several.
    private static func flags(_ details: DocumentDetails) -> Int {
        let leaves = details.tree.leaves
        var flags = details.revision.isDeleted ? 1 : 0
        if let newest = details.tree.nodes.last?.revision, newest != details.revision.revision { flags += 4 }
        if leaves.filter({ !$0.isDeleted }).count > 1 { flags += 8 }
        if leaves.count > 1 { flags += 16 }
        return flags
    }

    /// The tree in Graphviz's language.
    @Sendable static func revisionTree(_ call: RouteCall) async throws -> Response {
        let details = try await call.database.details(of: call.parameters[0], in: call.collection)
        var text = "digraph graphname{"
        for node in details.tree.nodes.reversed() {
            if node.isDeleted { text += "\"\(node.revision)\" [fontcolor=red];" }
            guard let parent = details.tree.history(of: node.revision).parent else {
                // Others are named by the line to their first child.
                if !node.isDeleted, details.tree.isLeaf(node.revision) { text += "\"\(node.revision)\";" }
                continue
            }
            let label = node.isDeleted ? " [label=\"Tombstone\", fontcolor=red]" : ""
            text += "\"\(parent)\" -> \"\(node.revision)\"\(label);"
        }
        return .bytes(Array((text + " }").utf8), type: "text/plain; charset=UTF-8")
    }

    /// A channel's list as a page for people.
    @Sendable static func dumpChannel(_ call: RouteCall) async throws -> Response {
        let channel = call.parameters[0]
        let since = call.request.query["since"].flatMap { UInt64($0) } ?? 0
        let request = ChangesRequest(
            collection: call.collection, since: SequenceID(since), channels: [channel])
        let feed = try call.database.changes(request, as: .admin)
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
        guard let first, channel != "*" else { throw GatewayError(404, "no such channel") }
        let title = escaped("/\(try call.database.name): “\(channel)” Channel")
        let head = """
            <!DOCTYPE html><html><head><title>\(title)</title></head><body>
            \t\t<h1>\(title)</h1><code>
            \t\t<p>Since = \(max(since, first.sequence - 1))</p>
            \t\t<table border=1>
            \t\t\t<tr><th>Seq</th><th>Doc</th><th>Rev</th><th>Flags</th></tr>

            """
        let end = "</table>\n</code></html></body>"
        return .bytes(Array(head.utf8) + lines + Array(end.utf8), type: "text/html; charset=\"UTF-8\"")
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

    private static func escaped(_ text: String) -> String {
        let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&#34;", "'": "&#39;"]
        return text.map { entities[$0] ?? String($0) }.joined()
    }

    @Sendable static func purge(_ call: RouteCall) async throws -> Response {
        guard let object = try? await call.request.object() else {
            throw GatewayError(400, "_purge document ID's must be passed as a JSON")
        }
        let ids = object.compactMap { $0.value == ["*"] ? $0.key : nil }
        let purged = try await call.database.purge(ids, in: call.collection)
        let rows = purged.map { "\(JSONValue.string($0)) : [\"*\"]\n" }
        return .bytes(
            Array("{\"purged\":{\r\n\(rows.joined(separator: ","))}\n}\n".utf8), type: "application/json",
            headers: ChangesWriter.noCache)
    }
}
