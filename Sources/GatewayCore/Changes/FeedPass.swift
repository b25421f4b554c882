import AccessControl
import DocumentValues

/// One pass of a feed over all changes up to a certain sequence. It merges the lists of the channels in the feed's
/// order.
struct FeedPass {
    /// The last sequence that this pass covers.
    let through: UInt64
    let view: AccessView
    private let collection: Int64
    private let page: Int
    /// The requested channels; `nil` for all.
    private let wanted: Set<Name>?
    /// A heap by their heads: the earliest is first, and no cursor comes before its parent, which is at half its index.
    private var cursors: [FeedCursor]
    /// The channels whose changes the reader gets in order.
    private let followed: [Name: ChannelScan]
    /// The row for the user; `nil` after it was returned.
    private var userRow: FeedRow?
    private var isStarted = false

    init(
        _ plan: FeedPlan, view: AccessView, collection: Int64, wanted: Set<Name>?, through: UInt64, userRow: FeedRow?,
        mayHaveNews: (_ channel: Name, _ after: UInt64) -> Bool
    ) {
        self.through = through
        self.view = view
        self.collection = collection
        self.wanted = wanted.flatMap { $0.contains(Channel.all) ? nil : $0 }
        self.userRow = userRow
        let scans = plan.scans.filter { $0.triggeredBy == 0 }
        followed = Dictionary(scans.map { ($0.channel, $0) }, uniquingKeysWith: { first, _ in first })
        cursors = plan.scans.filter { $0.triggeredBy > 0 || mayHaveNews($0.channel, $0.after) }
            .map { FeedCursor($0, collection: collection) }
        cursors += plan.gone.filter { mayHaveNews($0.channel, $0.after) }
            .map { FeedCursor($0, collection: collection) }
        cursors += plan.revocations.map { FeedCursor($0, collection: collection, through: through) }
        page = max(GatewayLimits.feedPageMinimum, GatewayLimits.feedPage / max(1, cursors.count))
    }

    /// Whether no rows are left.
    var isEmpty: Bool { cursors.isEmpty && userRow == nil }

    /// The rows of a pass with few news in a single list, as nearly each commit makes them; `nil` for any other, which has to
    /// be read from one state of the store. The rows of one list are never merged with others.
    func fewRows(_ limit: Int, activeOnly: Bool, from news: SharedNews) throws -> [FeedRow]? {
        guard !isStarted, userRow == nil, cursors.count == 1, var cursor = cursors.first,
            let entries = try cursor.takeAll(view: view, from: news), entries.count <= limit
        else { return nil }
        var rows: [FeedRow] = []
        for entry in entries {
            guard let merged = MergedEntries([entry]), !(activeOnly && merged.isGone) else { continue }
            guard !merged.mayGoOn else { return nil }
            if let row = try self.row(merged, channels: [:]) { rows.append(row) }
        }
        return rows
    }

    /// The next rows, at most `limit`; fewer only at the end of the pass.
    mutating func take(_ limit: Int, activeOnly: Bool, from store: any StoreReader) async throws -> [FeedRow] {
        try await start(store)
        var rows: [FeedRow] = []
        // Rows that are left out are replaced by later ones.
        while rows.count < limit, !isEmpty {
            let merged = try await merge(limit - rows.count, activeOnly: activeOnly, from: store)
            let numbers = merged.compactMap(\.documentToLookUp)
            let channels = numbers.isEmpty ? [:] : try await store.documents.channels(of: numbers)
            for row in merged {
                switch row {
                case .user(let row): rows.append(row)
                case .document(let entries): if let row = try self.row(entries, channels: channels) { rows.append(row) }
                }
            }
        }
        return rows
    }

    private mutating func start(_ store: any StoreReader) async throws {
        guard !isStarted else { return }
        isStarted = true
        for index in cursors.indices { try await cursors[index].fill(page: page, view: view, from: store) }
        cursors.removeAll { $0.head == nil }
        cursors.sort { Self.isBefore($0, and: $1) }
    }

    /// The next rows of all lists, merged; at most `limit` of them.
    private mutating func merge(
        _ limit: Int, activeOnly: Bool, from store: any StoreReader
    ) async throws -> [MergedRow] {
        var merged: [MergedRow] = []
        while merged.count < limit, !isEmpty {
            if let row = userRow, cursors.first?.head.map({ row.sequence < $0 }) ?? true {
                merged.append(.user(row))
                userRow = nil
                continue
            }
            let entries = try await nextEntries(from: store)
            if let entries = MergedEntries(entries), !(activeOnly && entries.isGone) {
                merged.append(.document(entries))
            }
        }
        return merged
    }

    /// The entries of the next sequence; none if the lists have only been read up to there, without an entry.
    private mutating func nextEntries(from store: any StoreReader) async throws -> [FeedEntry] {
        guard let sequence = cursors.first?.head else { return [] }
        var entries: [FeedEntry] = []
        while cursors.first?.head == sequence {
            if let entry = cursors[0].take() { entries.append(entry) }
            if cursors[0].isToBeFilled { try await cursors[0].fill(page: page, view: view, from: store) }
            sink()
        }
        return entries
    }

    /// Moves the first cursor, which has advanced, to its new position in the heap; removes it at its end.
    private mutating func sink() {
        if cursors[0].head == nil {
            cursors.swapAt(0, cursors.count - 1)
            cursors.removeLast()
        }
        var index = 0
        while true {
            let left = 2 * index + 1
            let children = left..<max(left, min(left + 2, cursors.count))
            guard let first = children.min(by: { Self.isBefore(cursors[$0], and: cursors[$1]) }),
                Self.isBefore(cursors[first], and: cursors[index])
            else { return }
            cursors.swapAt(index, first)
            index = first
        }
    }

    private static func isBefore(_ left: FeedCursor, and right: FeedCursor) -> Bool {
        guard let left = left.head, let right = right.head else { return false }
        return left < right
    }

    /// - Parameter found: the channels of documents that left all channels here, by the documents' numbers.
    /// - Returns: the row; `nil` if it is left out.
    private func row(_ entries: MergedEntries, channels found: [Int64: DocumentChannels]) throws -> FeedRow? {
        let first = entries.first
        let channels = entries.mayGoOn ? found[first.row.document] : nil
        let isVisibleOtherwise = channels.map { view.sees($0.current.keys) } ?? false
        let isReplaced = channels.map { isShown($0, after: first.position) } ?? false
        // A list that is read only for removals does not report a document that the reader sees through another
        // channel.
        if isVisibleOtherwise, entries.areLosses { return nil }
        return FeedRow(
            sequence: first.sequence, id: first.row.id, revision: try RevisionID(stored: first.row.revision),
            isDeleted: first.row.isDeleted, removed: entries.removed, isRemovedFromAll: entries.isRemovedFromAll,
            isVisibleOtherwise: isVisibleOtherwise, isReplaced: isReplaced, isRevoked: entries.isRevoked)
    }

    /// Whether a later row has more news of the document: its present revision, or its removal from another channel, such
    /// as by a deletion.
    private func isShown(_ channels: DocumentChannels, after position: UInt64) -> Bool {
        if view.sees(channels.current.keys.filter { wanted?.contains($0) ?? true }) { return true }
        return channels.past.contains { removal in
            guard removal.isLatest, removal.span.end > position, let scan = followed[removal.channel] else {
                return false
            }
            // Later entries are in the next pass, if the channel is still held.
            return removal.span.end > scan.after && (removal.span.end <= scan.through || scan.through == through)
        }
    }
}
