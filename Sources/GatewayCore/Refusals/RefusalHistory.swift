/// The last refusals of a database, oldest first. Where there are too many, whoever has the most gives up their oldest,
/// so that nobody can flush out those of others.
struct RefusalHistory: Sendable, Hashable {
    private(set) var entries: [RefusedDocument] = []
    private let limit: Int

    init(limit: Int = GatewayLimits.refusals) { self.limit = limit }

    /// A refusal that was there before moves to the end.
    mutating func add(_ refused: RefusedDocument) {
        if let known = entries.lastIndex(where: { refused.repeats($0) }) { entries.remove(at: known) }
        entries.append(refused)
        if entries.count > limit { entries.remove(at: oldestOfTheLargestShare()) }
    }

    private func oldestOfTheLargestShare() -> Int {
        var shares: [Share: (count: Int, oldest: Int)] = [:]
        for (index, entry) in entries.enumerated() {
            shares[Share(entry), default: (0, index)].count += 1
        }
        // Of shares that are as large, the one with the oldest entry.
        return shares.values.max { ($0.count, $1.oldest) < ($1.count, $0.oldest) }?.oldest ?? 0
    }

    /// Whose refusals: a user, byte by byte, or the admin port.
    private enum Share: Hashable {
        case user([UInt8])
        case admin

        init(_ entry: RefusedDocument) { self = entry.user.map { .user(Array($0.utf8)) } ?? .admin }
    }
}
