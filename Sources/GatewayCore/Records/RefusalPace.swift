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
    /// By user or address; the admin port has none.
    private var counts: [Name?: Int] = [:]

    /// - Parameter limit: lines of one user, or address, within a minute.
    package init(limit: Int = GatewayLimits.refusalsLogged) { self.limit = limit }

    /// - Parameters:
    ///   - account: who was refused: a user, or an address.
    ///   - seconds: now, since 1970, or since any other time.
    package mutating func verdict(of account: Name?, at seconds: Int64) -> Verdict {
        if seconds / 60 != minute { (minute, counts) = (seconds / 60, [:]) }
        let count = counts[account, default: 0]
        counts[account] = count + 1
        if count < limit { return .written }
        return count == limit ? .writtenNoMore : .notWritten
    }
}
