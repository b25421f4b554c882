import DocumentValues
import SyncFunction

/// What holds for a write beside the document itself.
struct WriteRules: Sendable {
    /// Whether the writer may see the document as it is.
    let isReadable: Bool
    let revisionLimit: Int
    /// Bytes of one attachment.
    let attachmentSize: Int

    init(_ configuration: DatabaseConfiguration, isReadable: Bool) {
        self.isReadable = isReadable
        revisionLimit = configuration.revisionLimit
        attachmentSize = configuration.attachmentSize
    }
}

/// What storing a document would mean, decided on the state that was read: the new tree, the new body, what the sync
/// function gets to see. Pure; the state is compared again when it is stored.
///
/// A class, since it goes through several hands and has two dozen references inside, each of which a copy counts.
final class WritePlan: Sendable {
    let document: IncomingDocument
    /// What was read; `nil` if there was no such document.
    let stored: StoredDocument?
    /// The revision that the write is about.
    let revision: RevisionID
    let tree: RevisionTree
    let attachments: AttachmentPlan
    /// For the sync function.
    let newDocument: [UInt8]
    let oldDocument: [UInt8]?

    enum Verdict: Sendable {
        case planned(WritePlan)
        /// The revision is there already: success, and nothing is stored.
        case known(RevisionID)
    }

    static func make(
        _ document: IncomingDocument, stored: StoredDocument?, rules: WriteRules
    ) throws -> Verdict {
        let attachments = { (generation: UInt32) throws(GatewayError) in
            try AttachmentPlan(
                document.attachments, current: stored?.attachments, rules: rules, provided: document.content,
                generation: generation)
        }
        let tree = stored?.tree ?? RevisionTree()
        switch document.edit {
        case .new(let replacing):
            let parent = try AcceptanceRule.parent(naming: replacing, tree: tree)
            let revision = RevisionDigest.gatewayRevision(parent: parent, body: try digestedBody(document))
            let history = RevisionHistory(parent.map { [$0] } ?? [])
            return .planned(
                try WritePlan(
                    document, stored, revision, history, parent: parent, attachments(revision.generation),
                    revisionLimit: rules.revisionLimit))
        case .existing(let revision, let history):
            switch AcceptanceRule.verdict(
                revision: revision, history: history, isDeleted: document.isDeleted, tree: tree)
            {
            case .known: return .known(revision)
            case .conflict: throw GatewayError.revisionConflict
            case .accepted:
                let parent = tree.commonAncestor(with: history)
                return .planned(
                    try WritePlan(
                        document, stored, revision, history, parent: parent, attachments(revision.generation),
                        revisionLimit: rules.revisionLimit))
            }
        }
    }

    private init(
        _ document: IncomingDocument, _ stored: StoredDocument?, _ revision: RevisionID, _ history: RevisionHistory,
        parent: RevisionID?, _ attachments: AttachmentPlan, revisionLimit: Int
    ) {
        self.document = document
        self.stored = stored
        self.revision = revision
        var tree = stored?.tree ?? RevisionTree()
        tree.insert(revision, history: history, isDeleted: document.isDeleted, limit: revisionLimit)
        self.tree = tree
        self.attachments = attachments
        newDocument = Self.marked(
            document.body, id: document.id, revision: revision, isDeleted: document.isDeleted)
        // A document made anew over a tombstone nobody knew has no older revision.
        oldDocument = stored.flatMap { stored in
            parent == nil
                ? nil
                : Self.marked(
                    stored.body, id: document.id, revision: nil, isDeleted: stored.isDeleted,
                    attachments: stored.attachments)
        }
    }

    /// What a revision's id is computed over.
    private static func digestedBody(_ document: IncomingDocument) throws -> JSONValue {
        var body = try JSONObject(parsing: document.body)
        if document.isDeleted { body["_deleted"] = true }
        return .object(body)
    }

    /// A body as a sync function sees it.
    static func marked(
        _ body: [UInt8], id: String, revision: RevisionID?, isDeleted: Bool, attachments: JSONObject? = nil
    ) -> [UInt8] {
        var members = Array(#""_id":"#.utf8)
        JSONWriter.appendString(id, to: &members)
        if let revision {
            members.append(contentsOf: #","_rev":"#.utf8)
            JSONWriter.appendString(revision.description, to: &members)
        }
        if isDeleted { members.append(contentsOf: #","_deleted":true"#.utf8) }
        if let attachments { members += Array(#","_attachments":"#.utf8) + attachments.bytes }
        return appendingMembers(members, toObject: body)
    }
}
