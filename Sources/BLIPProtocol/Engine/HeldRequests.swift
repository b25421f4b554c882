import NIOCore

/// Requests without an answer that are whole, while an earlier one is not: small messages overtake large ones, and who
/// is notified that nothing more follows takes that for the end.
struct HeldRequests {
    /// Larger ones do not overtake much, and are not worth their memory.
    static let longest = 16_384
    /// Of a peer that begins a message and does not go on with it, what comes then is not held for ever.
    static let most = 1_024

    private var requests = CircularBuffer<BLIPMessage>()

    var isEmpty: Bool { requests.isEmpty }

    /// Returns whether there is room for it.
    mutating func hold(_ request: BLIPMessage) -> Bool {
        guard requests.count < Self.most, request.body.readableBytes <= Self.longest else { return false }
        requests.append(request)
        return true
    }

    /// Those that came before a number; all where there is none.
    mutating func release(before number: UInt32?) -> [BLIPMessage] {
        func isDue(_ request: BLIPMessage) -> Bool { number.map { request.number < $0 } ?? true }
        let due = requests.filter(isDue)
        requests.removeAll(where: isDue)
        return Array(due)
    }
}
