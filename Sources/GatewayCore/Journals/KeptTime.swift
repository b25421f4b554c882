import Foundation

/// Times of refusals and sign-ins, in their files and in answers: RFC 3339 in UTC.
enum KeptTime {
    static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }

    /// Seconds since 1970; `nil` for an invalid time.
    static func seconds(_ text: String) -> Int64? {
        (try? Date(text, strategy: .iso8601)).map { Int64($0.timeIntervalSince1970) }
    }
}
