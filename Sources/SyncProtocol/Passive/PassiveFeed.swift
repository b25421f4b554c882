import DocumentValues

/// The pull side of one collection: rows that wait for their turn, and what was asked of the driver.
struct PassiveFeed {
    /// Tells a feed from an earlier one of its collection, whose rows may still come.
    let id: JobID
    let options: SubChanges
    /// Rows that the driver gave and that are not announced yet.
    var waiting: [ChangeRow] = []
    /// The driver is opening the feed, or was asked for rows.
    var isBusy = true
    /// The driver has said that there are no more for now.
    var isCaughtUp = false
    var hasAnnouncedCaughtUp = false

    init(id: JobID, options: SubChanges) {
        self.id = id
        self.options = options
    }

    /// A one-shot feed ends when it is caught up; a continuous one is asked again.
    var wantsRows: Bool { !isBusy && waiting.isEmpty && (options.isContinuous || !isCaughtUp) }

    var mustAnnounceCaughtUp: Bool { isCaughtUp && waiting.isEmpty && !hasAnnouncedCaughtUp }

    /// Whether all has been announced and nothing more will come.
    var isFinished: Bool { !options.isContinuous && hasAnnouncedCaughtUp }

    /// Takes rows in, but for those no client could read: it would end the whole replication over one.
    mutating func take(_ rows: [ChangeRow]) {
        waiting += rows.filter { $0.obstacle == nil }
    }
}

extension ChangeRow {
    /// Why no client could read the row; `nil` for one that can be announced.
    package var obstacle: String? {
        if documentID.isEmpty { return "its id is empty" }
        if documentID.utf8.count > SyncLimits.documentIDLength {
            return "its id has \(documentID.utf8.count) bytes, of \(SyncLimits.documentIDLength) that clients take"
        }
        if documentID.utf8.contains(0) { return "its id has a NUL byte" }
        if revision.utf8.count > SyncLimits.revisionBytes {
            return "its revision id has \(revision.utf8.count) bytes, of \(SyncLimits.revisionBytes) that clients take"
        }
        return nil
    }
}

/// An announced batch, from the message to the last of the revisions that it led to.
struct OpenChanges {
    /// A row that the client asked for, and what it has of the document.
    struct Wanted {
        let row: ChangeRow
        let ancestors: [String]
        /// The client could do nothing with a difference.
        var isWhole = false
    }

    let collection: Int
    let acceptsReplacements: Bool
    /// What was announced; empty once it is answered.
    var rows: [ChangeRow]
    var maxHistory: Int?
    /// Asked for and not loaded yet.
    var wanted: ArraySlice<Wanted> = []
    /// What the driver is loading, and the bytes that it will come to, about.
    var loading: [Wanted] = []
    var loadingBytes = 0
    /// `rev` messages that are not on their way yet.
    var unsentCount = 0

    /// Whether its place can be given to another batch.
    var isDone: Bool { rows.isEmpty && wanted.isEmpty && loading.isEmpty && unsentCount == 0 }
}

/// Guesses how many revisions a load of the wanted size comes to, from the sizes of the last ones.
struct LoadSizeEstimator {
    private var bytesPerRevision = PassiveLimits.assumedRevisionBytes

    /// How many revisions come to so many bytes, at least one.
    func count(within bytes: Int) -> Int {
        max(1, min(PassiveLimits.loadedRevisions, bytes / max(1, bytesPerRevision)))
    }

    /// What so many revisions come to.
    func bytes(of count: Int) -> Int { count * bytesPerRevision }

    /// Differences say nothing of the size of the next revision, which may have to be sent whole.
    mutating func note(_ loaded: [LoadedRevision]) {
        let sizes = loaded.filter { !$0.isDelta }.map(\.bodyCount)
        guard !sizes.isEmpty else { return }
        let average = sizes.reduce(0, +) / sizes.count
        // Up at once, down by halves: large documents often come in runs.
        bytesPerRevision = max(average, bytesPerRevision / 2)
    }
}

/// The attachments that may be asked for now: those of revisions that were sent and not answered.
struct ServedAttachments {
    private struct Place: Hashable {
        let collection: Int
        let digest: Name
    }

    private struct Key {
        let place: Place
        let documentID: Name

        init(_ digest: String, of documentID: String, collection: Int) {
            place = Place(collection: collection, digest: Name(digest))
            self.documentID = Name(documentID)
        }
    }

    /// How many open revisions of each document refer to a digest.
    private var counts: [Place: [Name: Int]] = [:]
    private var byTag: [UInt64: [Key]] = [:]

    mutating func allow(_ digests: [String], of documentID: String, collection: Int, until tag: UInt64) {
        guard !digests.isEmpty else { return }
        let keys = digests.map { Key($0, of: documentID, collection: collection) }
        byTag[tag] = keys
        for key in keys { counts[key.place, default: [:]][key.documentID, default: 0] += 1 }
    }

    mutating func end(_ tag: UInt64) {
        for key in byTag.removeValue(forKey: tag) ?? [] {
            guard let count = counts[key.place]?[key.documentID] else { continue }
            counts[key.place]?[key.documentID] = count > 1 ? count - 1 : nil
            if counts[key.place]?.isEmpty == true { counts[key.place] = nil }
        }
    }

    func allows(_ digest: String, of documentID: String, collection: Int) -> Bool {
        let key = Key(digest, of: documentID, collection: collection)
        return counts[key.place]?[key.documentID] != nil
    }

    /// The document of an open revision that refers to the digest; version 2 does not name it.
    func document(referringTo digest: String, collection: Int) -> String? {
        counts[Place(collection: collection, digest: Name(digest))]?.first?.key.text
    }
}
