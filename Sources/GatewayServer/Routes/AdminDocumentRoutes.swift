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
        var members = Array(#""_sync":"#.utf8) + sync.bytes
        guard call.request.query["include_doc"] != "false" else {
            return .bytes(appendingMembers(members, toObject: Array("{}".utf8)), type: "application/json")
        }
        if details.revision.isDeleted { members = Array(#""_deleted":true,"#.utf8) + members }
        return .bytes(appendingMembers(members, toObject: details.revision.body), type: "application/json")
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
            guard let parent = details.tree.history(of: node.revision).parent else { continue }
            let label = node.isDeleted ? " [label=\"Tombstone\", fontcolor=red]" : ""
            text += "\"\(parent)\" -> \"\(node.revision)\"\(label);"
        }
        return .bytes(Array((text + " }").utf8), type: "text/plain; charset=UTF-8")
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
