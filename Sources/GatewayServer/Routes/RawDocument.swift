import AccessControl
import Crypto
import DocumentValues
import GatewayCore

/// The answer to `_raw`: a document's body, and under `_sync` the gateway's metadata of it.
struct RawDocument {
    let details: DocumentDetails
    /// The pseudonyms for names of channels, users, roles and attachments, if they are hidden.
    let pseudonyms: Pseudonyms?

    func bytes(includingBody includesBody: Bool) -> [UInt8] {
        var members = Array(#""_sync":"#.utf8) + sync.bytes
        guard includesBody else { return appendingMembers(members, toObject: Array("{}".utf8)) }
        if details.revision.isDeleted { members = Array(#""_deleted":true,"#.utf8) + members }
        return appendingMembers(members, toObject: details.revision.body)
    }

    private var sync: JSONObject {
        var sync: JSONObject = [
            "rev": .string(details.revision.revision.description), "sequence": sequence,
            "channels": .object(channels), "channel_set": list(latest), "channel_set_history": list(former),
            "history": .object(history),
        ]
        if flags != 0 { sync["flags"] = .int(flags) }
        if let newest { sync["new_rev"] = .string(newest.description) }
        if let attachments = details.revision.attachments {
            sync["attachments"] = named(attachments.object.map { ($0.key, $0.value) })
        }
        if let expires = details.revision.expires { sync["exp"] = .string(HTTPDate.rfc3339(expires)) }
        if !details.grantedChannels.isEmpty { sync["access"] = grants(details.grantedChannels) }
        if !details.grantedRoles.isEmpty { sync["role_access"] = grants(details.grantedRoles) }
        return sync
    }

    private var sequence: JSONValue { .number(JSONNumber(details.revision.sequence)) }

    /// The revision with the highest number, if it is not the current one.
    private var newest: RevisionID? {
        details.tree.nodes.last.flatMap { $0.revision == details.revision.revision ? nil : $0.revision }
    }

    private var channels: JSONObject {
        let current = details.current.keys.sorted().map { ($0.text, JSONValue.null) }
        let removed = details.channels.past.filter(\.isLatest).sorted { $0.channel < $1.channel }.map {
            ($0.channel.text, ["seq": .number(JSONNumber($0.span.end))] as JSONValue)
        }
        return members(current + removed)
    }

    /// A stay of the document in a channel; without an end it is still there.
    private struct Membership {
        let channel: Name
        let start: UInt64
        var end: UInt64?

        init(_ removal: DocumentChannels.Removal) {
            (channel, start, end) = (removal.channel, removal.span.start, removal.span.end)
        }

        init(_ channel: Name, since start: UInt64) { (self.channel, self.start) = (channel, start) }

        var json: JSONValue {
            var object: JSONObject = ["name": .string(channel.text), "start": .number(JSONNumber(start))]
            object["end"] = end.map { .number(JSONNumber($0)) }
            return .object(object)
        }
    }

    /// The last one in each channel, by name.
    private var latest: [Membership] {
        let current = details.current.map { Membership($0.key, since: $0.value) }
        return (current + details.channels.past.filter(\.isLatest).map(Membership.init)).sorted {
            $0.channel < $1.channel
        }
    }

    /// The earlier ones, the oldest first.
    private var former: [Membership] { details.channels.past.filter { !$0.isLatest }.map(Membership.init) }

    /// `null` for none, and if names are hidden, as in Sync Gateway's answer.
    private func list(_ memberships: [Membership]) -> JSONValue {
        memberships.isEmpty || pseudonyms != nil ? .null : .array(memberships.map(\.json))
    }

    /// The grants by user or role, with the sequence of the revision that grants them.
    private func grants(_ granted: [Name: Set<Name>]) -> JSONValue {
        named(
            granted.sorted { $0.key < $1.key }.map { holder, names in
                (holder.text, named(names.sorted().map { ($0.text, sequence) }))
            })
    }

    private func named(_ values: [(String, JSONValue)]) -> JSONValue { .object(members(values)) }

    /// Made as a whole, because adding a member searches all members.
    private func members(_ values: [(String, JSONValue)]) -> JSONObject {
        JSONObject(
            members: values.map { name, value in
                JSONObject.Member(key: pseudonyms?.pseudonym(of: name) ?? name, value: value)
            })
    }

    /// Found from the leaves on: searching the parent of each revision would go through the tree again and again.
    private var parents: [RevisionID: RevisionID] {
        var parents: [RevisionID: RevisionID] = [:]
        for leaf in details.tree.leaves {
            var child = leaf.revision
            for parent in details.tree.history(of: child).ancestors where parents[child] == nil {
                parents[child] = parent
                child = parent
            }
        }
        return parents
    }

    private var history: JSONObject {
        let nodes = Array(details.tree.nodes.reversed())
        let indices = Dictionary(
            nodes.indices.map { (nodes[$0].revision, $0) }, uniquingKeysWith: { first, _ in first })
        let parents = parents
        var history: JSONObject = [
            "revs": .array(nodes.map { .string($0.revision.description) }),
            "parents": .array(nodes.map { .int(parents[$0.revision].flatMap { indices[$0] } ?? -1) }),
        ]
        let deleted = nodes.indices.filter { nodes[$0].isDeleted }
        if !deleted.isEmpty { history["deleted"] = .array(deleted.map { .int($0) }) }
        return history
    }

    /// Sync Gateway's: 1 deleted, 4 another revision is newer than the current one, 8 several live leaves, 16 several.
    private var flags: Int {
        let leaves = details.tree.leaves
        var flags = details.revision.isDeleted ? 1 : 0
        if newest != nil { flags += 4 }
        if leaves.filter({ !$0.isDeleted }).count > 1 { flags += 8 }
        if leaves.count > 1 { flags += 16 }
        return flags
    }
}

/// Pseudonyms of names, the same for the same name and salt: the SHA-1 of both, as Sync Gateway makes them.
struct Pseudonyms {
    let salt: String

    func pseudonym(of name: String) -> String {
        Hexadecimal.encode(Insecure.SHA1.hash(data: Array((salt + name).utf8)))
    }
}
