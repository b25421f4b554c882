import DocumentValues

/// How much each account has stored within a day. Nobody stores more than the disk has left: one account takes a half of what
/// was free, two take two thirds, and something is left for the next. Pure.
package struct StoredVolume: Sendable {
    /// Bytes by the hour in which they were stored, the oldest first.
    private var hours: [Name: [(hour: Int64, bytes: Int)]] = [:]

    package init() {}

    package mutating func note(_ bytes: Int, of account: Name, at time: Int64) {
        let hour = time / Self.hour
        var known = recent(account, at: time)
        if known.last?.hour == hour { known[known.count - 1].bytes += bytes } else { known.append((hour, bytes)) }
        hours[account] = known
    }

    /// Whether so many more leave the disk enough for others.
    ///
    /// - Parameters:
    ///   - free: bytes that the disk has left.
    ///   - time: in seconds.
    package func admits(_ bytes: Int, of account: Name, free: Int, at time: Int64) -> Bool {
        recent(account, at: time).reduce(bytes) { $0 + $1.bytes } <= free
    }

    private func recent(_ account: Name, at time: Int64) -> [(hour: Int64, bytes: Int)] {
        (hours[account] ?? []).filter { $0.hour > time / Self.hour - Self.hoursOfDay }
    }

    private static let hour: Int64 = 3_600
    private static let hoursOfDay: Int64 = 24
}
