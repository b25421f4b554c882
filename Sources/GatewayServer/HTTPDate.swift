import Glibc

/// Dates as headers and bodies write them.
enum HTTPDate {
    /// `Sun, 22 Nov 2026 05:19:36 GMT`
    static func text(_ seconds: Int64) -> String {
        var parts = tm()
        var time = time_t(seconds)
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
        return "\(day) \(parts.tm_year + 1900) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }

    /// RFC 3339: `2026-11-22T05:19:36Z`
    static func rfc3339(_ seconds: Int64) -> String {
        var parts = tm()
        var time = time_t(seconds)
        gmtime_r(&time, &parts)
        let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(date)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
