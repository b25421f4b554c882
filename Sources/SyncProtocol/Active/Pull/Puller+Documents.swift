/// Documents that are requested by name, in a feed of their own: if a revision was announced before and is not on this side
/// any more, no other feed brings it again.
///
/// A gateway has one feed of a collection at a time, and a feed of single documents ends by itself (§4.4). In a one-shot pull
/// it comes after the feed of all changes, in a continuous one before it.
extension Puller {
    /// The position in the feed of all changes.
    var position: String? {
        switch feed {
        case .changes: sequences.position
        case .documents(let position, _): position
        }
    }

    /// In this feed, a loss of access is no news: the document was already purged because of it. A document that was made
    /// under its id since then is another one.
    var isByName: Bool {
        switch feed {
        case .changes: false
        case .documents: true
        }
    }

    /// Called when no request is open.
    ///
    /// - Parameter next: the feed that follows.
    mutating func ask(for documentIDs: [String], then next: SubChanges? = nil, _ context: inout ActiveContext) {
        feed = .documents(position: position, next: next)
        // The sequences of this feed are no position in the other one.
        sequences = RemoteSequences(since: nil)
        var request = SubChanges(collection: context.wireIndex(index))
        request.wantsRevocations = false
        request.documentIDs = documentIDs
        request.batch = context.window.rowsPerBatch
        open(request, &context)
    }

    mutating func beginNextFeed(_ context: inout ActiveContext) {
        guard isIdle(besides: context.output.work), !isHalted, case .documents(let position, let next?) = feed else {
            return
        }
        feed = .changes(followsOther: true)
        sequences = RemoteSequences(since: position)
        open(next, &context)
    }
}
