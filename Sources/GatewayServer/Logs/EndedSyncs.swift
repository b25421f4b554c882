import DocumentValues
import Logging
import Synchronization

/// Writes syncs that ended into the log: some of each account a minute, and of the others their number. One person's program
/// can open and close thousands a second, and would push what everybody else did out of the log.
final class EndedSyncs: Sendable {
    private let pace = Mutex(AuditPace(limit: GatewayServerLimits.syncsLogged))
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - summary: who synced, and what came of it.
    ///   - account: whose connection it was.
    func note(_ summary: Logger.Metadata, of account: Name, logger: Logger) {
        let seconds = start.duration(to: .now).components.seconds
        let (isListed, unlisted) = pace.withLock { pace in
            let unlisted = pace.takeSummaries(at: seconds)
            return (pace.note(account), unlisted)
        }
        for rest in unlisted {
            logger.warning(
                "More syncs of one account ended within a minute than the log lists",
                metadata: ["user": "\(rest.name)", "unlisted": "\(rest.count)"])
        }
        if isListed { logger.info("Sync ended", metadata: summary) }
    }
}
