import AccessControl
import DocumentValues
import Logging
import Synchronization

/// Logs events that any client can cause: some lines of each account in a minute, and then only their number. One
/// program can cause thousands a second, which would bury the lines about all others.
final class PacedLog: Sendable {
    private let pace: Mutex<LogPace>
    private let unlisted: Logger.Message
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - limit: lines of one account within a minute.
    ///   - unlisted: the message for events that were only counted.
    init(limit: Int, unlisted: Logger.Message) {
        pace = Mutex(LogPace(limit: limit))
        self.unlisted = unlisted
    }

    /// - Parameter account: the account that has caused it.
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
