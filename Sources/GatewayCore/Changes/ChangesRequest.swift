import DocumentValues

/// The options of a reader of the changes feed.
package struct ChangesRequest: Sendable, Hashable {
    package var collection: CollectionName
    package var since: SequenceID
    /// The channel filter; channels that the reader does not hold are ignored.
    package var channels: Set<Name>?
    /// Only these documents; the channel filter is then ignored.
    package var documentIDs: [String]?
    /// Leaves out tombstones and removals, until the feed has caught up where `activeUntilCaughtUp`.
    package var activeOnly: Bool
    package var activeUntilCaughtUp: Bool
    package var revocations: Bool
    /// If a document left a channel that was lost afterwards, reports it at the sequence of its removal, not at that of
    /// the loss.
    package var reportsLossesInPlace: Bool
    package var includesDocuments: Bool
    /// Every leaf of a document in its row, not only the current revision (`style=all_docs`).
    package var includesLeaves: Bool
    /// The pseudo row `_user/name` that REST feeds have.
    package var includesUser: Bool

    package init(
        collection: CollectionName, since: SequenceID = .zero, channels: Set<Name>? = nil,
        documentIDs: [String]? = nil, activeOnly: Bool = false, activeUntilCaughtUp: Bool = false,
        revocations: Bool = false, reportsLossesInPlace: Bool = false, includesDocuments: Bool = false,
        includesLeaves: Bool = false, includesUser: Bool = false
    ) {
        self.collection = collection
        self.since = since
        self.channels = channels
        self.documentIDs = documentIDs
        self.activeOnly = activeOnly
        self.activeUntilCaughtUp = activeUntilCaughtUp
        self.revocations = revocations
        self.reportsLossesInPlace = reportsLossesInPlace
        self.includesDocuments = includesDocuments
        self.includesLeaves = includesLeaves
        self.includesUser = includesUser
    }
}

/// One row of a changes feed.
package struct FeedRow: Sendable, Hashable {
    package let sequence: SequenceID
    package let id: String
    /// `nil` for the `_user/…` row, which has an empty `changes`.
    package let revision: RevisionID?
    /// The other leaves, if they were requested.
    package var otherLeaves: [RevisionID] = []
    package let isDeleted: Bool
    /// The channels that the document left.
    package let removed: [Name]
    /// The document left every channel by which this feed saw it.
    package let isRemovedFromAll: Bool
    /// … but the reader now sees it through another one.
    package let isVisibleOtherwise: Bool
    /// A tombstone or removal of a document that has a later row with more news in this feed.
    package let isReplaced: Bool
    /// The reader lost the channel: the document has to be purged.
    package let isRevoked: Bool
    /// Set if documents were requested.
    package var document: DocumentRevision?

    package init(
        sequence: SequenceID, id: String, revision: RevisionID?, isDeleted: Bool = false, removed: [Name] = [],
        isRemovedFromAll: Bool = false, isVisibleOtherwise: Bool = false, isReplaced: Bool = false,
        isRevoked: Bool = false, document: DocumentRevision? = nil
    ) {
        self.sequence = sequence
        self.id = id
        self.revision = revision
        self.isDeleted = isDeleted
        self.removed = removed
        self.isRemovedFromAll = isRemovedFromAll
        self.isVisibleOtherwise = isVisibleOtherwise
        self.isReplaced = isReplaced
        self.isRevoked = isRevoked
        self.document = document
    }
}

/// Consecutive rows of a feed.
package struct ChangesBatch: Sendable, Hashable {
    package let rows: [FeedRow]
    /// There is nothing more at this moment.
    package let isCaughtUp: Bool
    /// Where to go on: the sequence of the last row, or that of the request.
    package let lastSequence: SequenceID
}
