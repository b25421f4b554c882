/// One collection of a session: its feed for the client's pull, and the receiver of the client's push.
struct PassiveCollection: Sendable {
    var feed: RevisionFeed
    var receiver: PushReceiver

    init(index: Int) {
        feed = RevisionFeed(index: index)
        receiver = PushReceiver(index: index)
    }
}
