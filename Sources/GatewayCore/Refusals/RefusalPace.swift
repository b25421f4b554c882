import DocumentValues

/// How many refusals of each user are written into the logs. A request may have 100,000 documents, and each line costs ten
/// times what a document does that is stored.
struct RefusalPace: Sendable, Hashable {
    enum Verdict: Sendable, Hashable {
        case written
        /// This one is not, nor those that follow it for the rest of the minute.
        case writtenNoMore
        case notWritten
    }

    private var minute: Int64 = .min
    /// By user; the admin port has none.
    private var counts: [Name?: Int] = [:]

    /// - Parameter seconds: now, since 1970.
    mutating func verdict(on user: Name?, at seconds: Int64) -> Verdict {
        if seconds / 60 != minute { (minute, counts) = (seconds / 60, [:]) }
        let count = counts[user, default: 0]
        counts[user] = count + 1
        if count < GatewayLimits.refusalsLogged { return .written }
        return count == GatewayLimits.refusalsLogged ? .writtenNoMore : .notWritten
    }
}
