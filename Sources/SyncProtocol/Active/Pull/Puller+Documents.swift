/// Documents that are asked for by name, in a feed of their own: what was announced once and is gone here since, no other feed
/// brings again.
///
/// A gateway has one feed of a collection at a time, and a feed of single documents ends by itself (§4.4). In a pull that runs
/// once it comes after the feed of all changes, otherwise before it.
extension Puller {
    /// How far the feed of all changes has come.
    var position: String? {
        switch feed {
        case .changes: sequences.position
        case .documents(let position, _): position
        }
    }

    /// Here the loss of access is no news: the document was purged for it, and what was made again under its id since is not
    /// what the gateway means.
    var isByName: Bool {
        switch feed {
        case .changes: false
        case .documents: true
        }
    }

    /// Called where nothing is under way.
    ///
    /// - Parameter next: the feed that follows.
    mutating func ask(for documentIDs: [String], then next: SubChanges? = nil, _ context: inout ActiveContext) {
        feed = .documents(position: position, next: next)
        // Theirs say nothing of how far the other feed has come.
        sequences = RemoteSequences(since: nil)
        var request = SubChanges(collection: context.wireIndex(index))
        request.wantsRevocations = false
        request.documentIDs = documentIDs
        open(request, &context)
    }

    mutating func beginNextFeed(_ context: inout ActiveContext) {
        guard isIdle, !isHalted, case .documents(let position, let next?) = feed else { return }
        feed = .changes(followsOther: true)
        sequences = RemoteSequences(since: position)
        open(next, &context)
    }
}
