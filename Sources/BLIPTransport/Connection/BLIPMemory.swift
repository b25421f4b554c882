/// Whose memory it is that a connection takes.
public protocol BLIPMemory: Sendable {
    /// Notes how many bytes the connection takes from now on; false where these are more than its owner may have. Then
    /// what was noted before counts on.
    ///
    /// Is called on the connection's event loop, where a message grew or shrank by a step
    /// (`TransportLimits.memoryStep`), and must be quick.
    func hold(_ bytes: Int) -> Bool
}

/// Asks for memory in steps, so that small messages cost nothing.
struct SteppedMemory {
    private let owner: (any BLIPMemory)?
    private var steps = 0

    init(_ owner: (any BLIPMemory)?) { self.owner = owner }

    /// Whether there may be so many bytes.
    mutating func hold(_ bytes: Int) -> Bool {
        let needed = (bytes + TransportLimits.memoryStep - 1) / TransportLimits.memoryStep
        guard needed != steps, let owner else { return true }
        guard owner.hold(needed * TransportLimits.memoryStep) else { return false }
        steps = needed
        return true
    }
}
