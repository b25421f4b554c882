/// The blobs that are being fetched for all collections of a session: they share one line.
struct AttachmentsUnderWay: Sendable {
    private var count = 0
    private var weight: UInt64 = 0
    /// The collection that may fetch first: the one after the collection that has begun the last fetch.
    private(set) var turn = 0

    /// The share of the line that a blob takes; a blob of unknown length may be large.
    static func weight(of length: UInt64?) -> UInt64 { min(length ?? .max, ActiveLimits.fetchedBytes + 1) }

    /// - Returns: whether there is room for one more.
    mutating func begin(_ weight: UInt64, for index: Int, within window: TransferWindow) -> Bool {
        let fits =
            count < ActiveLimits.fetches && window.allows(besides: count)
            && self.weight + weight <= ActiveLimits.fetchedBytes
        guard fits || count == 0 else { return false }
        count += 1
        self.weight += weight
        turn = index + 1
        return true
    }

    mutating func end(_ weight: UInt64) {
        count -= 1
        self.weight -= weight
    }
}
