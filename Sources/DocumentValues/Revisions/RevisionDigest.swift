import Crypto

/// How revision ids are computed. Peers treat them as opaque; equal inputs must give equal ids.
public enum RevisionDigest {
    /// The gateway's form, which Sync Gateway uses: MD5 over the parent's id (preceded by its length as one byte) and
    /// the canonical JSON of `body`, in lower-case hexadecimal (32 digits).
    ///
    /// `body` has no reserved members except, for a tombstone, `_deleted`.
    public static func gatewayRevision(parent: RevisionID?, body: JSONValue) -> RevisionID {
        RevisionID(generation: generation(after: parent), digest: gatewayDigest(parent: parent, body: body))
    }

    /// The digest of `gatewayRevision` alone.
    package static func gatewayDigest(parent: RevisionID?, body: JSONValue) -> String {
        var hash = Insecure.MD5()
        let parentText = Array((parent?.description ?? "").utf8)
        hash.update(data: [UInt8(truncatingIfNeeded: parentText.count)])
        hash.update(data: parentText)
        hash.update(data: JSONWriter(sortsKeys: true, escapesLikeGo: true).bytes(body))
        return Hexadecimal.encode(hash.finalize())
    }

    /// The client's form, which Couchbase Lite uses: SHA-1 over the parent's id (preceded by its length as one byte,
    /// at most 255), a byte that is 1 for a tombstone, and the body; 40 digits.
    ///
    /// A tombstone's body counts as the two bytes `70 00`; other bodies are hashed as canonical JSON, as Couchbase Lite
    /// does from 3.3 on (§3.2).
    public static func clientRevision(parent: RevisionID?, body: [UInt8], isDeleted: Bool) -> RevisionID {
        var hash = Insecure.SHA1()
        let parentText = parent?.description ?? ""
        var head: [UInt8] = []
        head.reserveCapacity(parentText.utf8.count + 2)
        head.append(UInt8(min(parentText.utf8.count, 255)))
        head.append(contentsOf: parentText.utf8)
        head.append(isDeleted ? 1 : 0)
        // As pointers: for any other bytes it looks first which parts they have.
        head.withUnsafeBytes { hash.update(bufferPointer: $0) }
        (isDeleted ? [0x70, 0x00] : body).withUnsafeBytes { hash.update(bufferPointer: $0) }
        let digest = hash.finalize().withUnsafeBytes { Hexadecimal.encode($0) }
        return RevisionID(generation: generation(after: parent), digest: digest)
    }

    /// Whether `revision` has the id of a deletion of `parent` without content, as a client or a gateway makes it. A user
    /// who sees the parent can compute that beforehand.
    package static func isDeletion(_ revision: RevisionID, of parent: RevisionID) -> Bool {
        guard let name = revision.treeRevision, name.generation == generation(after: parent) else { return false }
        return switch name.digest.utf8.count {
        case clientDigits: revision == clientRevision(parent: parent, body: [], isDeleted: true)
        case gatewayDigits: revision == gatewayRevision(parent: parent, body: ["_deleted": true])
        default: false
        }
    }

    private static let clientDigits = 2 * Insecure.SHA1.byteCount
    private static let gatewayDigits = 2 * Insecure.MD5.byteCount

    /// A child's generation. A peer may send the highest possible one; children of that have the same.
    private static func generation(after parent: RevisionID?) -> UInt32 {
        let generation = parent?.treeRevision?.generation ?? 0
        return generation == .max ? .max : generation + 1
    }
}
