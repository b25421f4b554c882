import DocumentValues

/// How many bytes each account has added to the disk within a day. No account may take more than it leaves free: one account
/// takes at most a half of the free space, two take two thirds, so there is always a rest for the next. Pure.
package struct StoredVolume: Sendable {
    /// Bytes that an account may store in any case, in total.
    private let allowance: Int
    /// Bytes by the hour in which they were stored.
    private var hours: [Name: [Int64: Int]] = [:]
    /// The hour in which accounts without bytes were last removed.
    private var tidiedHour: Int64 = 0

    /// - Parameter allowance: bytes. A user who has stored less did not fill the disk, and is not refused.
    package init(allowance: Int = GatewayLimits.volumeAllowance) { self.allowance = allowance }

    /// - Parameter bytes: negative for bytes that are given back because they were not stored.
    package mutating func note(_ bytes: Int, of account: Name, at time: Int64) {
        let hour = time / Self.hour
        tidy(in: hour)
        hours[account, default: [:]][hour, default: 0] += bytes
    }

    /// Whether so many more bytes leave enough of the disk for others.
    ///
    /// - Parameters:
    ///   - incoming: bytes of the account that are on the disk, not stored yet, and perhaps never will be.
    ///   - free: bytes that the disk has left.
    ///   - time: in seconds.
    package func admits(
        _ bytes: Int, of account: Name, beside incoming: Int = 0, free: Int, at time: Int64
    ) -> Bool {
        let taken = stored(by: account, at: time) + incoming
        return taken + bytes <= max(allowance, free)
    }

    /// Notes the bytes if they are admitted, so that two simultaneous writes do not both get the same room.
    ///
    /// - Parameter staged: those of the bytes that are already on the disk in other files, and so not in `free`.
    package mutating func take(_ bytes: Int, of account: Name, staged: Int, free: Int, at time: Int64) -> Bool {
        guard admits(bytes - staged, of: account, free: free, at: time) else { return false }
        note(bytes, of: account, at: time)
        return true
    }

    private func stored(by account: Name, at time: Int64) -> Int {
        (hours[account] ?? [:]).reduce(0) { Self.isOfDay($1.key, at: time / Self.hour) ? $0 + $1.value : $0 }
    }

    /// Removes old accounts once an hour.
    private mutating func tidy(in hour: Int64) {
        guard hour != tidiedHour else { return }
        tidiedHour = hour
        hours = hours.compactMapValues { known in
            let recent = known.filter { Self.isOfDay($0.key, at: hour) }
            return recent.isEmpty ? nil : recent
        }
    }

    private static func isOfDay(_ hour: Int64, at present: Int64) -> Bool { hour > present - hoursOfDay }

    private static let hour: Int64 = 3_600
    private static let hoursOfDay: Int64 = 24
}
