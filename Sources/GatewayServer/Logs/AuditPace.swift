import DocumentValues

/// Which attempts to sign in, and which syncs that ended, have a line of their own in a log, and how many of each address, or
/// user, have none: anybody can make thousands a second.
struct AuditPace: Sendable, Hashable {
    /// Those that were counted only.
    struct Summary: Sendable, Hashable {
        let name: Name
        let count: Int
    }

    private let limit: Int
    private var minute: Int64 = .min
    private var counts: [Name: Int] = [:]

    /// - Parameter limit: lines of one name within a minute.
    init(limit: Int = GatewayServerLimits.loginsAudited) { self.limit = limit }

    /// - Returns: whether it has a line of its own.
    mutating func note(_ name: Name) -> Bool {
        counts[name, default: 0] += 1
        return counts[name, default: 0] <= limit
    }

    /// What was only counted, once its minute is over; to be asked before the next one is noted.
    ///
    /// - Parameter seconds: of any clock that goes forward.
    mutating func takeSummaries(at seconds: Int64) -> [Summary] {
        guard seconds / 60 != minute else { return [] }
        minute = seconds / 60
        defer { counts = [:] }
        return counts.filter { $0.value > limit }.map { Summary(name: $0.key, count: $0.value - limit) }
            .sorted { $0.name < $1.name }
    }
}
