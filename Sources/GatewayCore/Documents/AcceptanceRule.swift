import DocumentValues

/// Whether a revision may join a document's tree (§3.3).
enum AcceptanceRule {
    enum Verdict: Sendable, Hashable {
        case accepted
        /// It is stored already: success without a change.
        case known
        case conflict
    }

    /// For a revision that comes with its history, as `rev` messages and `new_edits=false` bring it.
    static func verdict(
        revision: RevisionID, history: RevisionHistory, isDeleted: Bool, tree: RevisionTree, allowsConflicts: Bool
    ) -> Verdict {
        // There may be a live revision under the id of the deletion: then the deletion is not here.
        if tree.contains(revision) { return isDeleted && !tree.isDeleted(revision) ? .conflict : .known }
        guard !allowsConflicts, let winner = tree.winner else { return .accepted }
        guard let parent = tree.commonAncestor(with: history) else {
            // A client that never saw the deleted document may make it again.
            return winner.isDeleted && !isDeleted ? .accepted : .conflict
        }
        if parent == winner.revision { return .accepted }
        return isDeleted && tree.isLiveLeaf(parent) ? .accepted : .conflict
    }

    /// Keeps a live revision from taking the id that a deletion of an ancestor will have. A client that deletes the ancestor
    /// later would get the answer that the deletion is already here: then the document would be gone for that client, and not
    /// for all others.
    ///
    /// This is not only about the stated parent: a laptop may delete a revision of which the gateway has a newer edit. Nor
    /// may there be a tombstone already under the id that the deletion of this revision will have: its deletion would count as
    /// known, and a gateway could not make it.
    static func checkIsNoDeletion(
        _ revision: RevisionID, history: RevisionHistory, isDeleted: Bool, tree: RevisionTree
    ) throws(GatewayError) {
        let parent = history.parent
        guard !isDeleted else {
            // The tombstone would be taken for the deletion of another leaf, which goes on living.
            let isForged = tree.nodes.contains {
                $0.revision != parent && RevisionDigest.isDeletion(revision, of: $0.revision)
                    && tree.isLiveLeaf($0.revision)
            }
            if isForged { throw .revisionOfDeletion }
            return
        }
        guard !tree.nodes.contains(where: { RevisionDigest.isDeletion($0.revision, of: revision) }) else {
            throw .revisionOfDeletion
        }
        let others = tree.nodes.lazy.map(\.revision).filter { $0 != parent }
        guard !history.ancestors.contains(where: { RevisionDigest.isDeletion(revision, of: $0) }),
            !others.contains(where: { RevisionDigest.isDeletion(revision, of: $0) })
        else { throw .revisionOfDeletion }
    }

    /// Refuses revision ids that no message could carry. Stored ones stay.
    static func checkLength(of revisions: some Sequence<RevisionID>) throws(GatewayError) {
        if let revision = revisions.first(where: { !$0.isSendable }) { throw .digestTooLong(of: revision) }
    }

    /// The parent of an ordinary edit that names the revision it replaces, or none.
    ///
    /// With conflicts any leaf can be edited, without them only the current one; but any live leaf can be deleted,
    /// because otherwise conflicts from a time when they were allowed could never be ended.
    static func parent(
        naming stated: RevisionID?, isDeleted: Bool, tree: RevisionTree, allowsConflicts: Bool
    ) throws(GatewayError) -> RevisionID? {
        guard let winner = tree.winner else {
            guard stated == nil else { throw .revisionConflict }
            return nil
        }
        guard let stated else {
            guard winner.isDeleted else { throw .documentExists }
            return winner.revision
        }
        if stated == winner.revision { return stated }
        guard tree.isLeaf(stated) else { throw .revisionConflict }
        let isTaken = isDeleted ? tree.isLiveLeaf(stated) : winner.isDeleted
        guard allowsConflicts || isTaken else { throw .revisionConflict }
        return stated
    }
}
