import AccessControl
import DocumentValues

/// What holds for a write beside the document itself.
struct WriteRules: Sendable {
    let allowsConflicts: Bool
    /// A user who writes a document has to see the one that is replaced.
    let requiresSight: Bool
    let revisionLimit: Int
    /// Bytes of one attachment.
    let attachmentSize: Int
    /// What the writer may see.
    let view: AccessView
}

/// A document as it was read for a write, with all that its leaves hold.
struct DocumentState: Sendable {
    let stored: StoredDocument
    /// The leaves beside the current revision, but for tombstones without content.
    let branches: [StoredRevision]

    /// What a leaf holds; `nil` for what is none.
    func content(of leaf: RevisionID) -> StoredRevision? {
        if leaf == stored.revision { return stored.current }
        if let branch = branches.first(where: { $0.revision == leaf }) { return branch }
        return stored.tree.isLeaf(leaf) ? .emptyTombstone(leaf, at: stored.sequence) : nil
    }

    /// The attachments that a new revision can take over by name: those of its parent. Of a parent that was replaced long
    /// ago those are known that a leaf which descends from it still has. What the writer may not see is not among them.
    func attachments(for parent: RevisionID?, seenBy view: AccessView) -> JSONObject? {
        if let content = content(of: parent ?? stored.revision) {
            return view.sees(content.channels) ? content.attachments : nil
        }
        guard let parent else { return nil }
        var found: [JSONObject.Member] = []
        var names: Set<Name> = []
        for leaf in [stored.current] + branches where view.sees(leaf.channels) {
            guard let attachments = leaf.attachments, stored.tree.ancestry(of: leaf.revision).descends(from: parent)
            else {
                continue
            }
            for member in attachments where !names.contains(Name(member.key)) {
                guard let position = member.value["revpos"]?.integerValue, position <= Int64(parent.attachmentPosition)
                else { continue }
                names.insert(Name(member.key))
                found.append(member)
            }
        }
        return JSONObject(members: found)
    }

    /// Digests of all content that any leaf has.
    var digests: Set<Name> {
        branches.reduce(into: stored.attachments?.attachmentDigests ?? []) { $0.formUnion($1.attachmentDigests) }
    }

    /// Digests of content that the writer may not see by any leaf.
    func hiddenDigests(from view: AccessView) -> Set<Name> {
        var hidden: Set<Name> = []
        var shown: Set<Name> = []
        for leaf in [stored.current] + branches {
            if view.sees(leaf.channels) {
                shown.formUnion(leaf.attachmentDigests)
            } else {
                hidden.formUnion(leaf.attachmentDigests)
            }
        }
        return hidden.subtracting(shown)
    }
}
