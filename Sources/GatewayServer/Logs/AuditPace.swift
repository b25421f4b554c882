import DocumentValues

/// Which attempts to sign in that failed have a line of their own in the audit log, and how many of each address have
/// none: anybody can make thousands a second, and none of them needs a right password.
struct AuditPace: Sendable, Hashable {
    /// Attempts that were counted only.
    struct Summary: Sendable, Hashable {
        let client: Name
        let count: Int
    }

    private let limit: Int
    private var minute: Int64 = .min
    private var counts: [Name: Int] = [:]

    /// - Parameter limit: lines of one address within a minute.
    init(limit: Int = GatewayServerLimits.failuresAudited) { self.limit = limit }

    /// - Returns: whether it has a line of its own.
    mutating func note(_ client: Name) -> Bool {
        counts[client, default: 0] += 1
        return counts[client, default: 0] <= limit
    }

    /// What was only counted, once its minute is over; to be asked before the next attempt is noted.
    ///
    /// - Parameter seconds: of any clock that goes forward.
    mutating func takeSummaries(at seconds: Int64) -> [Summary] {
        guard seconds / 60 != minute else { return [] }
        minute = seconds / 60
        defer { counts = [:] }
        return counts.filter { $0.value > limit }.map { Summary(client: $0.key, count: $0.value - limit) }
            .sorted { $0.client < $1.client }
    }
}
