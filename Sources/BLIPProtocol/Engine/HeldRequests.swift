import NIOCore

/// Requests that keep their order and are whole, while an earlier request is not: small messages overtake large ones, and
/// one that says that nothing more follows would be taken for the end.
struct HeldRequests {
    private var requests = CircularBuffer<BLIPMessage>()

    var isEmpty: Bool { requests.isEmpty }

    /// Returns whether there is room for it.
    mutating func hold(_ request: BLIPMessage) -> Bool {
        guard requests.count < BLIPLimits.heldRequests, request.body.readableBytes <= BLIPLimits.heldRequestBytes else {
            return false
        }
        requests.append(request)
        return true
    }

    /// Those with numbers below this one; all where there is none.
    mutating func release(before number: UInt32?) -> [BLIPMessage] {
        func isDue(_ request: BLIPMessage) -> Bool { number.map { request.number < $0 } ?? true }
        let due = requests.filter(isDue)
        requests.removeAll(where: isDue)
        return Array(due)
    }
}
