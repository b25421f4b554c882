import DocumentValues

/// Whether a revision may join a document's tree (§3.3).
enum AcceptanceRule {
    enum Verdict: Sendable, Hashable {
        case accepted
        /// It is there already: success, and nothing is stored.
        case known
        case conflict
    }

    /// For a revision that comes with its history, as `rev` messages and `new_edits=false` bring it.
    static func verdict(
        revision: RevisionID, history: RevisionHistory, isDeleted: Bool, tree: RevisionTree, allowsConflicts: Bool
    ) -> Verdict {
        // Under the id of a deletion there may be something live: then the deletion is not here.
        if tree.contains(revision) { return isDeleted && !tree.isDeleted(revision) ? .conflict : .known }
        guard !allowsConflicts, let winner = tree.winner else { return .accepted }
        guard let parent = tree.commonAncestor(with: history) else {
            // A document that was deleted here may be made again by somebody who never saw it.
            return winner.isDeleted && !isDeleted ? .accepted : .conflict
        }
        if parent == winner.revision { return .accepted }
        return isDeleted && tree.isLiveLeaf(parent) ? .accepted : .conflict
    }

    /// Keeps a live revision from taking the id that a deletion of an ancestor will have. A client that deletes the ancestor
    /// later would be answered that the deletion is here: for that client the document is gone then, and for all others it is
    /// not.
    ///
    /// Not only of the stated parent: a laptop may delete what the gateway has an edit of meanwhile.
    static func checkIsNoDeletion(
        _ revision: RevisionID, history: RevisionHistory, tree: RevisionTree
    ) throws(GatewayError) {
        let parent = history.parent
        let others = tree.nodes.lazy.map(\.revision).filter { $0 != parent }
        guard !history.ancestors.contains(where: { RevisionDigest.isDeletion(revision, of: $0) }),
            !others.contains(where: { RevisionDigest.isDeletion(revision, of: $0) })
        else { throw .deletionsRevision }
    }

    /// The parent of an ordinary edit that names the revision it replaces, or none.
    ///
    /// With conflicts any leaf can be edited, without them only the current one; but any live leaf can be deleted, or
    /// there would be no end to conflicts from the time when they were allowed.
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

extension GatewayError {
    static let deletionsRevision = GatewayError(
        400, reason: "Invalid revision ID: it is the one of a deletion, and the document is not deleted")
}
