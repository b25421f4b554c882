import DocumentValues

/// A message `changes`, until the last of the requested revisions has been sent.
struct AnnouncedBatch: Sendable {
    /// A row that the client requested, and the revision that it has of the document.
    struct Wanted: Sendable, Equatable {
        let row: ChangeRow
        let ancestors: [RevisionID]
        /// The client could not apply a difference.
        var isWhole = false
    }

    /// The client's options for its revisions.
    struct Terms: Sendable, Equatable {
        /// A newer revision than the announced one may be sent.
        let acceptsReplacements: Bool
        var maxHistory: Int?
    }

    enum Stage: Sendable {
        /// The client has not answered.
        case announced([ChangeRow])
        /// The requested revisions wait to be loaded.
        case answered
        /// The driver is loading these.
        case loading([Wanted], RevisionsUnderWay.Load)
    }

    private(set) var terms: Terms
    private(set) var stage: Stage
    /// Requested revisions that are not being loaded yet.
    private(set) var wanted: ArraySlice<Wanted> = []
    /// `rev` messages that are not sent yet.
    private var unsentCount = 0

    init(_ rows: [ChangeRow], acceptsReplacements: Bool) {
        terms = Terms(acceptsReplacements: acceptsReplacements)
        stage = .announced(rows)
    }

    /// A revision that is sent once more, without an announcement.
    init(again wanted: Wanted, _ terms: Terms) {
        self.terms = terms
        stage = .answered
        self.wanted = [wanted]
    }

    var isAnnounced: Bool {
        switch stage {
        case .announced: true
        case .answered, .loading: false
        }
    }

    var waitsToBeLoaded: Bool {
        switch stage {
        case .announced, .loading: false
        case .answered: !wanted.isEmpty
        }
    }

    /// Revisions that are being loaded.
    var loading: [Wanted] {
        switch stage {
        case .announced, .answered: []
        case .loading(let loading, _): loading
        }
    }

    /// Whether another batch may take its turn.
    var isDone: Bool {
        switch stage {
        case .announced, .loading: false
        case .answered: wanted.isEmpty && unsentCount == 0
        }
    }

    /// The client's answer; `nil` for an invalid one, which requests nothing.
    mutating func answered(_ reply: ChangesReply?) {
        guard case .announced(let rows) = stage else { return }
        terms.maxHistory = reply?.maxHistory
        for (row, entry) in zip(rows, reply?.entries ?? []) {
            switch entry {
            case .unwanted: break
            case .wanted(let texts):
                // A revision id is short and ASCII: other texts from a client are ignored.
                let ancestors = texts.prefix(SyncLimits.maxHistory).compactMap { RevisionID($0) }
                wanted.append(Wanted(row: row, ancestors: ancestors))
            }
        }
        stage = .answered
    }

    mutating func loadBegan(_ load: RevisionsUnderWay.Load) {
        stage = .loading(Array(wanted.prefix(load.count)), load)
        wanted = wanted.dropFirst(load.count)
    }

    /// The first ones are loaded, and will be sent at once. Those for which there was no room are loaded after that.
    mutating func loadEnded(_ count: Int) {
        let loading = loading
        if count < loading.count { wanted = loading[count...] + wanted }
        unsentCount += count
        stage = .answered
    }

    /// A `rev` message has been sent.
    mutating func revisionSent() { unsentCount -= 1 }
}
