import DocumentValues

/// The content of a pass at one sequence.
enum MergedRow {
    /// The row for the user of the feed.
    case user(FeedRow)
    case document(MergedEntries)

    /// The number of a document whose channels decide about the row.
    var documentToLookUp: Int64? {
        switch self {
        case .user: nil
        case .document(let entries): entries.mayGoOn ? entries.first.row.document : nil
        }
    }
}

/// The entries of one document at one sequence: one for each channel that it entered or left there.
struct MergedEntries {
    let first: FeedEntry
    /// The channels that the document left.
    let removed: [Name]
    /// Whether all entries are removals.
    let isRemovedFromAll: Bool
    let isRevoked: Bool
    /// Whether all of these entries are from lists that are read only for removals.
    let areLosses: Bool

    /// `nil` if there are no entries.
    init?(_ entries: [FeedEntry]) {
        guard let first = entries.first else { return nil }
        self.first = first
        removed = entries.filter(\.row.isRemoval).map(\.channel).sorted()
        isRemovedFromAll = removed.count == entries.count
        isRevoked = entries.contains { $0.reason == .revocation }
        areLosses = entries.allSatisfy { $0.reason == .loss }
    }

    /// Left out if the request is only for present documents.
    var isGone: Bool { first.row.isDeleted || isRemovedFromAll }

    /// Whether the document's channels may show more news of it. After a tombstone's own row there are none.
    var mayGoOn: Bool {
        isRemovedFromAll && !isRevoked && !(first.row.isGone && first.row.documentSequence <= first.position)
    }
}
