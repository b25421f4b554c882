/// The account on which a connection's memory is counted.
public protocol BLIPMemory: Sendable {
    /// Notes how many bytes the connection takes from now on; false if these are more than its owner may have. Then the
    /// former number stays.
    ///
    /// Called on the connection's event loop, when a message grew or shrank by a step (`TransportLimits.memoryStep`),
    /// and must be quick.
    func hold(_ bytes: Int) -> Bool
}

/// Asks for memory in steps, so that small messages cost nothing.
struct SteppedMemory {
    private let owner: (any BLIPMemory)?
    private var steps = 0

    init(_ owner: (any BLIPMemory)?) { self.owner = owner }

    /// Whether so many bytes are allowed.
    mutating func hold(_ bytes: Int) -> Bool {
        let needed = (bytes + TransportLimits.memoryStep - 1) / TransportLimits.memoryStep
        guard needed != steps, let owner else { return true }
        guard owner.hold(needed * TransportLimits.memoryStep) else { return false }
        steps = needed
        return true
    }
}
