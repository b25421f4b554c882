import DocumentValues

/// What a pass of a feed has at one sequence.
enum MergedRow {
    /// The row of its own that a user has.
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

/// The entries of one document at one sequence, in as many channels as it entered or left there.
struct MergedEntries {
    let first: FeedEntry
    /// The channels that the document left.
    let removed: [Name]
    /// It left all of them.
    let isRemovedFromAll: Bool
    let isRevoked: Bool
    /// All of these lists are read only for removals.
    let areLosses: Bool

    /// `nil` where there are none.
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

    /// Whether more may be known of the document elsewhere. Of a tombstone's own row nothing more is to be known.
    var mayGoOn: Bool {
        isRemovedFromAll && !isRevoked && !(first.row.isGone && first.row.documentSequence <= first.position)
    }
}
