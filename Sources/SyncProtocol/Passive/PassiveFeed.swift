import DocumentValues

/// The pull side of one collection: rows that wait for their turn, and what was asked of the driver.
struct PassiveFeed {
    let options: SubChanges
    /// Rows that the driver gave and that are not announced yet.
    var waiting: [ChangeRow] = []
    var isAskedForRows = false
    /// The driver has said that there are no more for now.
    var isCaughtUp = false
    var hasToldCaughtUp = false

    init(options: SubChanges) { self.options = options }

    /// A one-shot feed ends when it is caught up; a continuous one is asked again.
    var wantsRows: Bool { !isAskedForRows && waiting.isEmpty && (options.isContinuous || !isCaughtUp) }

    var mustTellCaughtUp: Bool { isCaughtUp && waiting.isEmpty && !hasToldCaughtUp }
}

/// An announced batch, from the message to the last of the revisions that it led to.
struct OpenChanges {
    let collection: Int
    let rows: [ChangeRow]
    /// Tags of the `rev` messages that are not out yet.
    var unsent: Set<UInt64> = []
    var maxHistory: Int?
    /// What the client asked for, by index in `rows`, with its ancestors.
    var wanted: [(row: Int, ancestors: [String])] = []

    init(collection: Int, rows: [ChangeRow]) {
        self.collection = collection
        self.rows = rows
    }
}

/// The attachments that may be asked for now: those of revisions that were sent and not answered.
struct ServedAttachments {
    private struct Key: Hashable {
        let collection: Int
        let documentID: String
        let digest: String
    }

    private var counts: [Key: Int] = [:]
    private var byTag: [UInt64: [Key]] = [:]

    mutating func allow(_ digests: [String], of documentID: String, collection: Int, until tag: UInt64) {
        let keys = digests.map { Key(collection: collection, documentID: documentID, digest: $0) }
        byTag[tag] = keys
        for key in keys { counts[key, default: 0] += 1 }
    }

    mutating func end(_ tag: UInt64) {
        for key in byTag.removeValue(forKey: tag) ?? [] {
            counts[key] = counts[key].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }

    func allows(_ digest: String, of documentID: String, collection: Int) -> Bool {
        counts[Key(collection: collection, documentID: documentID, digest: digest)] != nil
    }

    /// Whether any such revision is open that refers to the digest; version 2 does not name the document.
    func document(referringTo digest: String, collection: Int) -> String? {
        counts.keys.first { $0.digest == digest && $0.collection == collection }?.documentID
    }
}
