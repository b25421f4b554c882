import AccessControl
import DocumentValues
import Logging
import Synchronization

/// Writes what anybody can cause into the log: some lines of each account a minute, and of the others their number. One
/// person's program can cause thousands a second, and would push what everybody else did out of the log.
final class PacedLog: Sendable {
    private let pace: Mutex<LogPace>
    private let unlisted: Logger.Message
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - limit: lines of one account within a minute.
    ///   - unlisted: what is said of those that were only counted.
    init(limit: Int, unlisted: Logger.Message) {
        pace = Mutex(LogPace(limit: limit))
        self.unlisted = unlisted
    }

    /// - Parameter account: whose doing it is.
    func write(
        _ message: Logger.Message, level: Logger.Level, metadata: Logger.Metadata, of account: Name, logger: Logger
    ) {
        let seconds = start.duration(to: .now).components.seconds
        let (isListed, counted) = pace.withLock { pace in
            let counted = pace.takeSummaries(at: seconds)
            return (pace.note(account) == .listed, counted)
        }
        for rest in counted {
            logger.warning(unlisted, metadata: ["user": "\(rest.name)", "unlisted": "\(rest.count)"])
        }
        if isListed { logger.log(level: level, message, metadata: metadata) }
    }
}
