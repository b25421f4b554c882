import DocumentValues

/// By how much each account has made the disk fuller within a day. Nobody takes more of it than it has left: one account takes
/// a half of what was free, two take two thirds, and something is left for the next. Pure.
package struct StoredVolume: Sendable {
    /// What an account may store in any case, in all.
    private let allowance: Int
    /// Bytes by the hour in which they were stored.
    private var hours: [Name: [Int64: Int]] = [:]
    /// In which accounts without bytes were forgotten last.
    private var tidiedHour: Int64 = 0

    /// - Parameter allowance: bytes. A user who has brought less did not fill the disk, and is not refused for it.
    package init(allowance: Int = GatewayLimits.volumeAllowance) { self.allowance = allowance }

    /// - Parameter bytes: negative for what is given back, since it was not stored after all.
    package mutating func note(_ bytes: Int, of account: Name, at time: Int64) {
        let hour = time / Self.hour
        tidy(in: hour)
        hours[account, default: [:]][hour, default: 0] += bytes
    }

    /// Whether so many more leave the disk enough for others.
    ///
    /// - Parameters:
    ///   - incoming: bytes of the account that lie on the disk and are not stored yet, and may never be.
    ///   - free: bytes that the disk has left.
    ///   - time: in seconds.
    package func admits(
        _ bytes: Int, of account: Name, beside incoming: Int = 0, free: Int, at time: Int64
    ) -> Bool {
        let taken = stored(by: account, at: time) + incoming
        return taken + bytes <= max(allowance, free)
    }

    /// Notes the bytes if they are admitted, so that two writes at the same time do not both get what is there for one.
    ///
    /// - Parameter staged: those of the bytes that lie on the disk already, in other files; `free` lacks them.
    package mutating func take(_ bytes: Int, of account: Name, staged: Int, free: Int, at time: Int64) -> Bool {
        guard admits(bytes - staged, of: account, free: free, at: time) else { return false }
        note(bytes, of: account, at: time)
        return true
    }

    private func stored(by account: Name, at time: Int64) -> Int {
        (hours[account] ?? [:]).reduce(0) { Self.isOfDay($1.key, at: time / Self.hour) ? $0 + $1.value : $0 }
    }

    /// Once an hour; users come and go.
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
