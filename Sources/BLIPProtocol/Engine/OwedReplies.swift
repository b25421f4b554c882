/// Replies that one side still owes the other.
struct OwedReplies {
    /// Our requests that have no whole reply yet.
    var awaited: [UInt32: OutgoingMessage.ReplyRoute] = [:]
    /// Those of them whose replies are streamed, and whether they were waited for at the last look.
    var streams: [UInt32: Bool] = [:]
    /// The peer's requests that we owe an answer, and whether they are urgent: their answers are too.
    var unanswered: [UInt32: Bool] = [:]
}
