/// A revision and its ancestors as REST lists them in `_revisions`: `{"start":generation,"ids":[digest,…]}`, newest
/// first.
package struct RevisionListing: Sendable, Hashable {
    /// The generation of the newest.
    package let start: UInt32
    package let digests: [String]

    /// - Returns: `nil` if the list is empty, if it has more entries than `start` allows, or if an entry is not a digest.
    package init?(start: Int64, digests: [String]) {
        guard !digests.isEmpty, start >= Int64(digests.count), start <= Int64(UInt32.max),
            digests.allSatisfy({ TreeRevision.isDigest($0) })
        else { return nil }
        self.start = UInt32(start)
        self.digests = digests
    }

    /// Lists the revisions that are nodes of a tree; `nil` if none is.
    package init?(_ revisions: some Sequence<RevisionID>) {
        let listed = revisions.compactMap(\.treeRevision)
        guard let newest = listed.first else { return nil }
        start = newest.generation
        digests = listed.map(\.digest)
    }

    /// Newest first.
    package var revisions: [RevisionID] {
        digests.enumerated().map { RevisionID(generation: start - UInt32($0.offset), digest: $0.element) }
    }
}
