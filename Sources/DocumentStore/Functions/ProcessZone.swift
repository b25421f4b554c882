import DocumentQuery
import Glibc

/// The zone of this process, as `TZ` or the system has it.
struct ProcessZone: LocalZone {
    private static let day: Int64 = 86_400

    /// A local time that the clock shows twice, or never, has the offset after the change.
    func offset(at seconds: Int64, isLocalClock: Bool) -> Int64 {
        guard isLocalClock else { return Self.offset(at: seconds) }
        let (before, after) = (Self.offset(at: seconds - Self.day), Self.offset(at: seconds + Self.day))
        if before == after || Self.offset(at: seconds - after) == after { return after }
        return Self.offset(at: seconds - before) == before ? before : after
    }

    private static func offset(at seconds: Int64) -> Int64 {
        var moment = time_t(seconds)
        var clock = tm()
        guard localtime_r(&moment, &clock) != nil else { return 0 }
        return Int64(clock.tm_gmtoff)
    }
}
