import AccessControl
import DocumentValues
import SyncFunction

/// What storing a document would mean, decided on the state that was read: the new tree, the new body, what the sync
/// function gets to see. Pure; the state is compared again when it is stored.
///
/// A class, since it goes through several hands and has two dozen references inside, each of which a copy counts.
final class WritePlan: Sendable {
    /// What becomes of the document's current revision.
    enum Effect: Sendable {
        /// The write's revision is the current one.
        case becomesCurrent
        /// Another leaf stays the current one.
        case staysBeside
        /// The current one is deleted, and this leaf becomes current.
        case promotes(StoredRevision)
    }

    let document: IncomingDocument
    /// What was read; `nil` if there was no such document.
    let state: DocumentState?
    /// The revision that the write is about.
    let revision: RevisionID
    let tree: RevisionTree
    let effect: Effect
    let attachments: AttachmentPlan
    /// For the sync function.
    let newDocument: [UInt8]
    let oldDocument: [UInt8]?

    /// What the request says outside of the body. That it takes all attachments away is said, too, and that a body which
    /// may refer to blobs has none.
    var meta: SyncFunctionMeta { meta(attachments: attachments.shown) }

    /// The same as though all the attachments had come.
    var metaWithAllAttachments: SyncFunctionMeta { meta(attachments: attachments.metadata) }

    private func meta(attachments: JSONObject?) -> SyncFunctionMeta {
        let none: JSONObject? = stored?.attachments != nil || mayContainBlobs(newDocument) ? [:] : nil
        return SyncFunctionMeta(
            expires: document.isDeleted ? nil : document.expires, attachments: attachments ?? none)
    }

    var stored: StoredDocument? { state?.stored }
    /// Of the document before the write.
    var branches: [StoredRevision] { state?.branches ?? [] }

    enum Verdict: Sendable {
        case planned(WritePlan)
        /// The revision is there already: success, and nothing is stored.
        case known(RevisionID)
    }

    static func make(
        _ document: IncomingDocument, state: DocumentState?, rules: WriteRules
    ) throws -> Verdict {
        let tree = state?.stored.tree ?? RevisionTree()
        try checkSight(state?.stored, rules: rules)
        let allowsConflicts = rules.allowsConflicts && !document.refusesConflicts
        switch document.edit {
        case .new(let replacing):
            let parent = try AcceptanceRule.parent(
                naming: replacing, isDeleted: document.isDeleted, tree: tree, allowsConflicts: allowsConflicts)
            let revision = RevisionDigest.gatewayRevision(parent: parent, body: try digestedBody(document))
            // The same content on the same parent: here already, beside what came later.
            guard !tree.contains(revision) else { throw GatewayError.revisionConflict }
            let history = RevisionHistory(parent.map { [$0] } ?? [])
            return .planned(
                try WritePlan(
                    document, state: state, revision: revision, history: history, parent: parent, rules: rules))
        case .existing(let revision, let history):
            switch AcceptanceRule.verdict(
                revision: revision, history: history, isDeleted: document.isDeleted, tree: tree,
                allowsConflicts: allowsConflicts)
            {
            case .known: return .known(revision)
            case .conflict: throw GatewayError.revisionConflict
            case .accepted:
                if !document.isDeleted {
                    try AcceptanceRule.checkIsNoDeletion(revision, history: history, tree: tree)
                }
                let parent = tree.commonAncestor(with: history)
                try RevisionLength.check([revision] + history.ancestors.prefix { $0 != parent })
                return .planned(
                    try WritePlan(
                        document, state: state, revision: revision, history: history, parent: parent, rules: rules))
            }
        }
    }

    /// With the default sync function the id of a revision is enough to replace it, and it can be found
    /// out without seeing it. A deletion has nothing in it to be seen.
    private static func checkSight(_ stored: StoredDocument?, rules: WriteRules) throws(GatewayError) {
        guard rules.requiresSight, let stored, !stored.isDeleted else { return }
        guard rules.view.sees(stored.channels.current.keys) else { throw .forbidden }
    }

    private init(
        _ document: IncomingDocument, state: DocumentState?, revision: RevisionID, history: RevisionHistory,
        parent: RevisionID?, rules: WriteRules
    ) throws {
        self.document = document
        self.state = state
        self.revision = revision
        var tree = state?.stored.tree ?? RevisionTree()
        tree.insert(revision, history: history, isDeleted: document.isDeleted, limit: rules.revisionLimit)
        self.tree = tree
        guard tree.isLine || tree.leaves.count(where: { !$0.isDeleted }) <= GatewayLimits.liveLeaves else {
            throw GatewayError.tooManyConflicts
        }
        guard tree.isLine || Self.mayGrow(tree, by: document, over: state) else { throw GatewayError.tooMuchInConflict }
        effect = Self.effect(of: revision, on: tree, state)
        attachments = try AttachmentPlan(
            document.attachments,
            base: AttachmentBase(document.attachments == nil ? nil : state, parent: parent, rules: rules),
            size: rules.attachmentSize,
            provided: document.content, position: revision.attachmentPosition)
        // Laptops get both as one, and take no more than that.
        let whole = document.body.count + (attachments.metadata?.bytes.count ?? 0)
        guard whole <= GatewayLimits.documentSize else {
            throw GatewayError(413, reason: "Document too large with the names of its attachments")
        }
        newDocument = Self.marked(
            document.body, id: document.id, revision: revision, isDeleted: document.isDeleted)
        // A document made again over a tombstone nobody knew has no older revision, and a parent that was replaced before
        // is not looked for.
        oldDocument = parent.flatMap { state?.content(of: $0) }.map { old in
            Self.replaced(old.body, id: document.id, isDeleted: old.isDeleted, attachments: old.attachments)
        }
    }

    /// Whether the leaves together stay below their limit, or get no larger than they are.
    private static func mayGrow(
        _ tree: RevisionTree, by document: IncomingDocument, over state: DocumentState?
    ) -> Bool {
        let present = (state.map { [$0.stored.current] + $0.branches } ?? [])
        let before = present.reduce(0) { $0 + $1.bytesHeld }
        let size = document.body.count + (document.attachments?.bytes.count ?? 0)
        let after = present.reduce(size) { $0 + (tree.isLeaf($1.revision) ? $1.bytesHeld : 0) }
        return after <= max(before, GatewayLimits.bytesOfLeaves)
    }

    private static func effect(
        of revision: RevisionID, on tree: RevisionTree, _ state: DocumentState?
    ) -> Effect {
        guard let state, let winner = tree.winner?.revision, winner != revision else { return .becomesCurrent }
        guard winner != state.stored.revision else { return .staysBeside }
        return state.content(of: winner).map { .promotes($0) } ?? .becomesCurrent
    }

    /// The leaf that becomes current instead of the current revision.
    var promotedLeaf: StoredRevision? {
        switch effect {
        case .becomesCurrent, .staysBeside: nil
        case .promotes(let leaf): leaf
        }
    }

    /// What a revision's id is computed over.
    private static func digestedBody(_ document: IncomingDocument) throws -> JSONValue {
        var body = try JSONObject(parsing: document.body)
        if document.isDeleted { body["_deleted"] = true }
        return .object(body)
    }

    /// `oldDoc`. Of a tombstone nothing is left in it, whatever its body says, as with Sync Gateway.
    static func replaced(
        _ body: [UInt8], id: String, isDeleted: Bool, attachments: JSONObject? = nil
    ) -> [UInt8] {
        isDeleted
            ? marked(Array("{}".utf8), id: id, revision: nil, isDeleted: true)
            : marked(body, id: id, revision: nil, isDeleted: false, attachments: attachments)
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
