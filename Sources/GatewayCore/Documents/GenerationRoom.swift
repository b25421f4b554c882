import DocumentValues

/// Keeps room for the revisions that come later. The sender of a revision chooses its generation, and each child needs a higher
/// one: a revision at the end of the numbers would leave a document that no client, user or administrator can write.
enum GenerationRoom {
    /// Also a revision that the gateway makes is refused at the end of the numbers: its parent has been stored before there
    /// was this rule.
    static func check(_ revision: RevisionID, over tree: RevisionTree) throws(GatewayError) {
        guard let generation = revision.treeRevision?.generation, generation > RevisionLimits.generation else { return }
        let limit = highestAccepted(over: tree)
        guard generation <= limit else { throw .noRoomAfter(revision, limit: limit) }
    }

    /// One revision alone does not take much of the room that is left. The last generation is never taken.
    private static func highestAccepted(over tree: RevisionTree) -> UInt32 {
        let highest = tree.nodes.lazy.compactMap(\.revision.treeRevision?.generation).max() ?? 0
        let (next, isTooHigh) = highest.addingReportingOverflow(RevisionLimits.generationStep)
        return isTooHigh ? .max - 1 : min(max(RevisionLimits.generation, next), .max - 1)
    }
}
