import Logging
import Synchronization

/// How many warnings and errors were logged, including those that the console's level leaves out.
package final class LogCounts: Sendable {
    private let warningCount = Atomic<Int>(0)
    private let errorCount = Atomic<Int>(0)

    package init() {}

    package var warnings: Int { warningCount.load(ordering: .relaxed) }
    package var errors: Int { errorCount.load(ordering: .relaxed) }

    func count(_ level: Logger.Level) {
        switch level {
        case .trace, .debug, .info, .notice: return
        case .warning: warningCount.add(1, ordering: .relaxed)
        case .error, .critical: errorCount.add(1, ordering: .relaxed)
        }
    }
}
