import DocumentValues
import Logging
import Synchronization

/// How much goes to the console; it can be changed while the gateway runs.
package final class ConsoleLevel: Sendable {
    private let state: Mutex<LoggingConfiguration.Level>

    package init(_ level: LoggingConfiguration.Level) { state = Mutex(level) }

    package var value: LoggingConfiguration.Level {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Whether the console writes events of this level; false for all if it is off.
    func allows(_ level: Logger.Level) -> Bool { value.loggerLevel.map { level >= $0 } ?? false }
}

extension LoggingConfiguration.Level {
    /// `nil` for no log.
    package var loggerLevel: Logger.Level? {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .warn, .warning: .warning
        case .error: .error
        case .none: nil
        }
    }

    /// The level of a name in a request, as in Sync Gateway.
    static func named(_ text: String) -> LoggingConfiguration.Level? {
        text == "warning" ? nil : LoggingConfiguration.Level(exactly: text)
    }
}
