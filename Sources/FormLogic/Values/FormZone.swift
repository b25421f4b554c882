/// The local zone; it depends on the laptop, so the caller passes it.
package protocol FormZone: Sendable {
    /// Seconds by which the local clock is ahead of UTC.
    ///
    /// - Parameter seconds: since 1970 in UTC.
    func offset(at seconds: Int64) -> Int64
}

/// The same clock always.
package struct FixedFormZone: FormZone {
    private let seconds: Int64

    /// - Parameter seconds: ahead of UTC.
    package init(seconds: Int64 = 0) { self.seconds = seconds }

    package func offset(at seconds: Int64) -> Int64 { self.seconds }
}

extension FormZone {
    /// The instant at which the local clock shows this. Where it shows it twice, the first time; where it jumps over it, the
    /// instant as long after the jump.
    func instant(ofLocal milliseconds: Int64) -> Int64 {
        let seconds = CalendarMath.floorDivide(milliseconds, by: 1000)
        // A zone's offset changes by a few hours at most: the one before the day and the one behind it are those in question.
        let before = offset(at: seconds - 86_400)
        if offset(at: seconds - before) == before { return milliseconds - before * 1000 }
        let after = offset(at: seconds + 86_400)
        if offset(at: seconds - after) == after { return milliseconds - after * 1000 }
        return milliseconds - before * 1000
    }

    /// The local clock at an instant: milliseconds since 1970-01-01T00:00 of that clock.
    func local(of instant: Int64) -> Int64 {
        instant + offset(at: CalendarMath.floorDivide(instant, by: 1000)) * 1000
    }
}
