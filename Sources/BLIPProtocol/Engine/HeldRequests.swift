import NIOCore

/// Complete requests that must keep their order, while an earlier request is incomplete. Small messages overtake large
/// ones: the message that no more rows follow would otherwise arrive before the last rows.
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

    /// Returns the requests with numbers below this one; all if it is `nil`.
    mutating func release(before number: UInt32?) -> [BLIPMessage] {
        func isDue(_ request: BLIPMessage) -> Bool { number.map { request.number < $0 } ?? true }
        let due = requests.filter(isDue)
        requests.removeAll(where: isDue)
        return Array(due)
    }
}
