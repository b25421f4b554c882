/// One collection of a session: what the client pulls of it, and what it pushes to it.
struct PassiveCollection: Sendable {
    var feed: RevisionFeed
    var receiver: PushReceiver

    init(index: Int) {
        feed = RevisionFeed(index: index)
        receiver = PushReceiver(index: index)
    }
}
