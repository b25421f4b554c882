import DocumentValues

/// How many refusals of each user, or address, are written into the logs. A request may have 100,000 documents, and each
/// line costs ten times what a document does that is stored.
package struct RefusalPace: Sendable, Hashable {
    package enum Verdict: Sendable, Hashable {
        case written
        /// This one is not, nor those that follow it for the rest of the minute.
        case writtenNoMore
        case notWritten
    }

    private let limit: Int
    private var minute: Int64 = .min
    /// By user; the admin port has none.
    private var counts: [Name?: Int] = [:]

    /// - Parameter limit: lines of one user within a minute.
    package init(limit: Int = GatewayLimits.refusalsLogged) { self.limit = limit }

    /// - Parameter seconds: now, since 1970, or since any other time.
    package mutating func verdict(on user: Name?, at seconds: Int64) -> Verdict {
        if seconds / 60 != minute { (minute, counts) = (seconds / 60, [:]) }
        let count = counts[user, default: 0]
        counts[user] = count + 1
        if count < limit { return .written }
        return count == limit ? .writtenNoMore : .notWritten
    }
}
