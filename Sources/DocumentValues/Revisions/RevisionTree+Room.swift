/// Keeps room for the revisions that come later. The sender of a revision chooses its generation, and each child needs a higher
/// one: a revision at the end of the numbers would leave a document that no client, user or administrator can write.
extension RevisionTree {
    /// Whether later revisions can follow `revision` here.
    package func leavesRoom(after revision: RevisionID) -> Bool {
        let generation = revision.treeRevision?.generation ?? 0
        return generation <= RevisionLimits.generation || generation <= lastGenerationWithRoom
    }

    /// The highest generation that leaves room. One revision alone does not take much of the room that is left, and the last
    /// generation is never taken.
    package var lastGenerationWithRoom: UInt32 {
        let highest = nodes.lazy.compactMap(\.revision.treeRevision?.generation).max() ?? 0
        let (next, isTooHigh) = highest.addingReportingOverflow(RevisionLimits.generationStep)
        return isTooHigh ? .max - 1 : min(max(RevisionLimits.generation, next), .max - 1)
    }
}
