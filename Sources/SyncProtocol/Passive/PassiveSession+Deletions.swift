import DocumentValues

/// Deletions that a client meets with a push.
///
/// A client may have a document that was deleted before its user could see the channel, and so before anything that its
/// feed tells of: the gateway was restored, say, and the user made again. What the client pushes then lies under the
/// tombstone, or beside it, and nothing in the feed would ever say so. The client has shown that it knows the document,
/// so the deletion is announced to it as a row of its feed.
extension PassiveSession {
    /// - Parameter rows: tombstones with their plain sequences.
    mutating func announceDeletions(_ rows: [ChangeRow], _ collection: Int) {
        guard !rows.isEmpty, pulls[collection] != nil else { return }
        pulls[collection]?.add(rows)
        runDeletions(collection)
    }

    /// After all that the feed had to tell, so that no row of it is taken for one that was told.
    mutating func runDeletions(_ collection: Int) {
        guard feeds[collection]?.mayBeFollowed ?? true else { return }
        while openChanges.count < PassiveLimits.openChanges, let rows = pulls[collection]?.takeDeletions() {
            announce(rows, collection: collection)
        }
    }
}

/// What a client pulls of one collection, for as long as the connection lives.
struct PassivePull {
    let options: SubChanges
    /// Where the feed is: the place of its last row.
    private var position: UInt64
    private var deletions: ArraySlice<ChangeRow> = []
    /// Tombstones that were announced, each once.
    private var announced: Set<Name> = []

    init(_ options: SubChanges) {
        self.options = options
        position = options.since.flatMap { SequenceID(parsing: $0) }?.place ?? 0
    }

    mutating func note(_ rows: [ChangeRow]) {
        guard let last = rows.last.flatMap({ SequenceID(parsing: $0.sequence) }) else { return }
        position = max(position, last.place)
    }

    mutating func add(_ rows: [ChangeRow]) {
        deletions += rows.filter { announced.insert(Name("\($0.revision) \($0.documentID)")).inserted }
    }

    /// Their sequences say that they come because of what happened at the feed's place: a client that stops after such
    /// a row goes on from there.
    mutating func takeDeletions() -> [ChangeRow]? {
        guard !deletions.isEmpty else { return nil }
        let rows = deletions.prefix(options.batch)
        deletions = deletions.dropFirst(rows.count)
        return rows.map { row in
            let sequence = SequenceID(parsing: row.sequence) ?? .zero
            let place = SequenceID(sequence.sequence, triggeredBy: max(1, position))
            return ChangeRow(
                sequence: place.jsonText, documentID: row.documentID, revision: row.revision, flags: row.flags)
        }
    }
}

extension SequenceID {
    fileprivate var place: UInt64 { triggeredBy > 0 ? triggeredBy : safeSequence }
}
