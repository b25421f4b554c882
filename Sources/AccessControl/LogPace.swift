import DocumentValues

/// Decides which events have a line of their own in a log, and counts the others of each user or address: some events can
/// be caused by any client, thousands a second. Pure.
package struct LogPace: Sendable, Hashable {
    package enum Verdict: Sendable, Hashable {
        /// It has a line of its own.
        case listed
        /// It has none, nor have the following ones for the rest of the minute.
        case firstCounted
        case counted
    }

    /// Events that were only counted.
    package struct Summary: Sendable, Hashable {
        package let name: Name
        package let count: Int
    }

    private let limit: Int
    private var minute: Int64 = .min
    private var counts: [Name: Int] = [:]

    /// - Parameter limit: lines of one name within a minute.
    package init(limit: Int) { self.limit = limit }

    package mutating func note(_ name: Name) -> Verdict {
        let count = counts[name, default: 0]
        counts[name] = count + 1
        if count < limit { return .listed }
        return count == limit ? .firstCounted : .counted
    }

    /// The same for a caller that does not need the counts.
    package mutating func note(_ name: Name, at seconds: Int64) -> Verdict {
        _ = takeSummaries(at: seconds)
        return note(name)
    }

    /// The counts of finished minutes; call it before the next event is noted.
    ///
    /// - Parameter seconds: of any clock that goes forward.
    package mutating func takeSummaries(at seconds: Int64) -> [Summary] {
        guard seconds / 60 != minute else { return [] }
        minute = seconds / 60
        defer { counts = [:] }
        return counts.filter { $0.value > limit }.map { Summary(name: $0.key, count: $0.value - limit) }
            .sorted { $0.name < $1.name }
    }
}
