import NIOCore

/// The messages that may send a frame now, in the order in which they will.
///
/// Round robin: a message with more frames goes back to the tail. Urgent messages are put further ahead, but leave one
/// normal message between two of them, so that nothing starves. Ordered messages stay at the head until they are
/// completely sent.
struct OutgoingQueue {
    private var messages = CircularBuffer<OutgoingMessage>()

    var isEmpty: Bool { messages.isEmpty }
    var count: Int { messages.count }

    mutating func popFirst() -> OutgoingMessage? { messages.popFirst() }

    var isUrgentNext: Bool { messages.first?.isUrgent ?? false }

    mutating func insert(_ message: OutgoingMessage) {
        guard message.isUrgent, !messages.isEmpty else { return messages.append(message) }
        messages.insert(message, at: indexForUrgent(hasStarted: message.hasStarted))
    }

    /// Puts a message first, or second if an urgent one is first.
    mutating func insertNext(_ message: OutgoingMessage) {
        messages.insert(message, at: messages.index(messages.startIndex, offsetBy: isUrgentNext ? 1 : 0))
    }

    /// Behind the last urgent message and the one that follows it. A message that has not begun never overtakes another
    /// one that has not, so requests begin in the order in which they were made.
    private func indexForUrgent(hasStarted: Bool) -> CircularBuffer<OutgoingMessage>.Index {
        var index = messages.endIndex
        while index > messages.startIndex {
            let before = messages.index(before: index)
            if messages[before].isUrgent { return index < messages.endIndex ? messages.index(after: index) : index }
            if !hasStarted, !messages[before].hasStarted { break }
            index = before
        }
        return index
    }
}
