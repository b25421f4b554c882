/// Whether a client is read although it does not read its messages: a client that sends requests and never reads would fill
/// the memory with small answers. Pure.
///
/// Messages that wait for an acknowledgement are not counted, because this side has to read the acknowledgement. All others
/// are sent as soon as the client reads.
struct UnreadMessages {
    private(set) var arePiledUp = false

    /// - Parameter waiting: messages that the socket has not accepted.
    /// - Returns: whether that has changed `arePiledUp`.
    mutating func note(_ waiting: Int) -> Bool {
        let limit = arePiledUp ? TransportLimits.unreadMessages / 2 : TransportLimits.unreadMessages
        guard arePiledUp != (waiting > limit) else { return false }
        arePiledUp.toggle()
        return true
    }
}
