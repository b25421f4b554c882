import DocumentValues

extension RevisionTree {
    /// Whether a revision that was stored may have made `current` the document's current revision.
    ///
    /// It is that itself, but for a tombstone. A document that was deleted, and made again by a client that knew nothing of
    /// it, has two branches; where the new one is deleted, too, the tombstone of the old one may win.
    func isCurrent(_ current: RevisionID, after stored: RevisionID) -> Bool {
        if current == stored { return true }
        let isOlderTombstone = isDeleted(current) && isLeaf(current) && current.wins(over: stored)
        return isDeleted(stored) && isLeaf(stored) && isOlderTombstone
    }
}
