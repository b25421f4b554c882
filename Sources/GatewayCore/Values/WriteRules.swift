import AccessControl
import DocumentValues

/// The rules for a write, besides the document itself.
struct WriteRules: Sendable {
    let allowsConflicts: Bool
    /// Whether the writer has to see the document that is replaced.
    let requiresSight: Bool
    let revisionLimit: Int
    /// Bytes of one attachment.
    let attachmentSize: Int
    /// The view of the writer.
    let view: AccessView
}

/// A document as it was read for a write, with the content of all leaves.
struct DocumentState: Sendable {
    let stored: StoredDocument
    /// The leaves beside the current revision, except tombstones without content.
    let branches: [StoredRevision]

    /// The content of a leaf; `nil` for other revisions.
    func content(of leaf: RevisionID) -> StoredRevision? {
        if leaf == stored.revision { return stored.current }
        if let branch = branches.first(where: { $0.revision == leaf }) { return branch }
        return stored.tree.isLeaf(leaf) ? .emptyTombstone(leaf, at: stored.sequence) : nil
    }

    /// The attachments that a new revision can keep by name: those of its parent. For a parent that was replaced long
    /// ago, they are those that a descending leaf still has. Attachments that the writer may not see are not among them.
    func attachments(for parent: RevisionID?, seenBy view: AccessView) -> [AttachmentEntry] {
        if let content = content(of: parent ?? stored.revision) {
            return view.sees(content.channels) ? content.attachments?.list.entries ?? [] : []
        }
        guard let parent else { return [] }
        var found: [AttachmentEntry] = []
        var names: Set<Name> = []
        for leaf in [stored.current] + branches where view.sees(leaf.channels) {
            guard let attachments = leaf.attachments, stored.tree.ancestry(of: leaf.revision).descends(from: parent)
            else {
                continue
            }
            for entry in attachments.list.entries where !names.contains(Name(entry.name)) {
                guard let position = entry.position, position <= Int64(parent.attachmentPosition) else { continue }
                names.insert(Name(entry.name))
                found.append(entry)
            }
        }
        return found
    }

    /// Digests of all content that any leaf has.
    var digests: Set<Name> {
        branches.reduce(into: stored.attachments?.digests ?? []) { $0.formUnion($1.attachmentDigests) }
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
