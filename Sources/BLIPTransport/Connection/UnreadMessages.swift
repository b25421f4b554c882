/// Whether a client is read that leaves unread what waits for it: one that asks and does not read would fill the memory with
/// answers of some bytes each. Pure.
///
/// What waits for an acknowledgement is not counted, since that has to be read. All else goes out as soon as the client reads.
struct UnreadMessages {
    private(set) var arePiledUp = false

    /// - Parameter waiting: messages that the socket has not taken.
    /// - Returns: whether that has changed `arePiledUp`.
    mutating func note(_ waiting: Int) -> Bool {
        let limit = arePiledUp ? TransportLimits.unreadMessages / 2 : TransportLimits.unreadMessages
        guard arePiledUp != (waiting > limit) else { return false }
        arePiledUp.toggle()
        return true
    }
}
