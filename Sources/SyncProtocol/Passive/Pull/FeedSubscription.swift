import DocumentValues

/// A feed that a client has requested: the state of its reading, and rows that wait for their announcement.
struct FeedSubscription: Sendable {
    enum Stage: Sendable, Equatable {
        /// The driver is opening the feed.
        case opening
        /// The driver has returned the requested rows; `isCaughtUp`: there were no more then.
        case read(isCaughtUp: Bool)
        /// Rows were requested from the driver.
        case reading
    }

    /// Distinguishes a feed from an earlier one of the same collection, whose rows may still come.
    let id: JobID
    let options: SubChanges
    private(set) var stage = Stage.opening
    /// Rows that are not announced yet.
    private var waiting: [ChangeRow] = []
    private var hasAnnouncedCaughtUp = false

    init(id: JobID, options: SubChanges) {
        self.id = id
        self.options = options
    }

    /// The driver is working for the feed.
    var isBusy: Bool {
        switch stage {
        case .opening, .reading: true
        case .read: false
        }
    }

    /// Whether all rows have been announced and no more will come.
    var isFinished: Bool { !options.isContinuous && hasAnnouncedCaughtUp }

    /// Whether there are rows that wait to be announced.
    var hasRows: Bool { !waiting.isEmpty }

    mutating func opened() { stage = .read(isCaughtUp: false) }

    /// Takes rows in, except those that no client could read: a single one would end the client's whole replication.
    mutating func take(_ rows: [ChangeRow], isCaughtUp: Bool) {
        stage = .read(isCaughtUp: isCaughtUp)
        waiting += rows.filter { $0.obstacle == nil }
    }

    /// The next rows to announce, as many as the client wants in one message.
    mutating func nextRows() -> [ChangeRow] {
        let rows = Array(waiting.prefix(options.batch))
        waiting.removeFirst(rows.count)
        return rows
    }

    /// - Returns: whether the client is to be notified, once, that nothing more follows for now.
    mutating func announcesCaughtUp() -> Bool {
        guard stage == .read(isCaughtUp: true), waiting.isEmpty, !hasAnnouncedCaughtUp else { return false }
        hasAnnouncedCaughtUp = true
        return true
    }

    /// Whether the driver is to be asked for rows: a one-shot feed until it is caught up, a continuous one always.
    var wantsRows: Bool {
        switch stage {
        case .opening, .reading: false
        case .read(let isCaughtUp): waiting.isEmpty && (options.isContinuous || !isCaughtUp)
        }
    }

    mutating func readBegan() { stage = .reading }
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
