import AccessControl
import DocumentValues
import SyncFunction

/// The effects of storing a document, decided on the state that was read: the new tree, the new body, and the input of
/// the sync function. Pure; the state is compared again when it is stored.
///
/// A class, because it is passed on several times and has two dozen references, each of which a copy would count.
final class WritePlan: Sendable {
    /// The effect on the document's current revision.
    enum Effect: Sendable {
        /// The write's revision is the current one.
        case becomesCurrent
        /// Another leaf stays the current one.
        case staysBeside
        /// The current one is deleted, and this leaf becomes current.
        case promotes(StoredRevision)
    }

    let document: IncomingDocument
    /// The state that was read; `nil` if there was no such document.
    let state: DocumentState?
    /// The revision of the write.
    let revision: RevisionID
    let tree: RevisionTree
    let effect: Effect
    let attachments: AttachmentPlan
    /// For the sync function.
    let newDocument: [UInt8]
    let oldDocument: [UInt8]?

    /// Facts of the request outside of the body. It has an empty list of attachments if the write removes all of them,
    /// or if a body that may refer to blobs has none.
    var meta: SyncFunctionMeta { meta(attachments: attachments.shown) }

    /// The same as if all attachments had been sent.
    var metaWithAllAttachments: SyncFunctionMeta { meta(attachments: attachments.metadata?.object) }

    private func meta(attachments: JSONObject?) -> SyncFunctionMeta {
        let none: JSONObject? = stored?.attachments != nil || mayContainBlobs(document.body) ? [:] : nil
        return SyncFunctionMeta(
            expires: document.isDeleted ? nil : document.expires, attachments: attachments ?? none)
    }

    var stored: StoredDocument? { state?.stored }
    /// Of the document before the write.
    var branches: [StoredRevision] { state?.branches ?? [] }

    enum Verdict: Sendable {
        case planned(WritePlan)
        /// The revision exists already: success without a change.
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
            // The same content on the same parent exists already, beside later revisions.
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
                try AcceptanceRule.checkIsNoDeletion(
                    revision, history: history, isDeleted: document.isDeleted, tree: tree)
                let parent = tree.commonAncestor(with: history)
                try AcceptanceRule.checkLength(of: [revision] + history.ancestors.prefix { $0 != parent })
                return .planned(
                    try WritePlan(
                        document, state: state, revision: revision, history: history, parent: parent, rules: rules))
            }
        }
    }

    /// With the default sync function the id of a revision is enough to replace it, and a user can find that out
    /// without seeing the document. A deletion has no content to protect.
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
        // Also for a revision that the gateway makes: its parent may have been stored before there was this rule.
        guard tree.leavesRoom(after: revision) else {
            throw GatewayError.noRoomAfter(revision, limit: tree.lastGenerationWithRoom)
        }
        tree.insert(revision, history: history, isDeleted: document.isDeleted, limit: rules.revisionLimit)
        self.tree = tree
        guard tree.isLine || tree.leaves.count(where: { !$0.isDeleted }) <= GatewayLimits.liveLeaves else {
            throw GatewayError.tooManyConflicts
        }
        effect = Self.effect(of: revision, on: tree, state)
        attachments = try AttachmentPlan(
            document.attachments,
            base: AttachmentBase(document.attachments == nil ? nil : state, parent: parent, rules: rules),
            size: rules.attachmentSize,
            provided: document.content, position: revision.attachmentPosition)
        // Laptops get both in one message, and accept no more than that.
        let whole = document.body.count + (attachments.metadata?.byteCount ?? 0)
        guard whole <= GatewayLimits.documentSize else {
            throw GatewayError.tooLargeWithAttachments
        }
        guard tree.isLine || Self.mayGrow(tree, by: whole, over: state) else { throw GatewayError.tooMuchInConflict }
        newDocument = Self.marked(
            document.body, id: document.id, revision: revision, isDeleted: document.isDeleted)
        // A document that is made again over an unknown tombstone has no older revision, and a parent that was replaced
        // before is not searched for.
        oldDocument = parent.flatMap { state?.content(of: $0) }.map { old in
            Self.replaced(old.body, id: document.id, isDeleted: old.isDeleted, attachments: old.attachments)
        }
    }

    /// Whether the leaves together stay below their limit, or do not grow.
    private static func mayGrow(_ tree: RevisionTree, by size: Int, over state: DocumentState?) -> Bool {
        let present = (state.map { [$0.stored.current] + $0.branches } ?? [])
        let before = present.reduce(0) { $0 + $1.bytesHeld }
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

    /// The input for computing a revision's id.
    private static func digestedBody(_ document: IncomingDocument) throws -> JSONValue {
        var body = try JSONObject(parsing: document.body)
        if document.isDeleted { body["_deleted"] = true }
        return .object(body)
    }

    /// `oldDoc`. For a tombstone it is empty, whatever its body, as in Sync Gateway.
    static func replaced(
        _ body: [UInt8], id: String, isDeleted: Bool, attachments: StoredAttachments? = nil
    ) -> [UInt8] {
        isDeleted
            ? marked(Array("{}".utf8), id: id, revision: nil, isDeleted: true)
            : marked(body, id: id, revision: nil, isDeleted: false, attachments: attachments)
    }

    /// A body in the form for a sync function.
    static func marked(
        _ body: [UInt8], id: String, revision: RevisionID?, isDeleted: Bool, attachments: StoredAttachments? = nil
    ) -> [UInt8] {
        var members = Array(#""_id":"#.utf8)
        JSONWriter.appendString(id, to: &members)
        if let revision {
            members.append(contentsOf: #","_rev":"#.utf8)
            JSONWriter.appendString(revision.description, to: &members)
        }
        if isDeleted { members.append(contentsOf: #","_deleted":true"#.utf8) }
        if let attachments { members += Array(#","_attachments":"#.utf8) + attachments.text.utf8 }
        return appendingMembers(members, toObject: body)
    }
}
