import NIOCore

/// Messages of which some frames are still to come.
struct IncompleteMessages {
    var messages: [MessageKey: IncomingMessage] = [:]
    /// Of all of them together.
    var bytes = 0
    /// Those that are due to be acknowledged and are not, the longest waiting first.
    var withheld = CircularBuffer<MessageKey>()
    /// The one that is acknowledged where there is no room for all.
    var leading: MessageKey?
}
