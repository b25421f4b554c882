/// Receives the library's messages.
///
/// Like in Couchbase Lite it need not be `Sendable`, but it is called on many threads, sometimes on several at once: it
/// has to guard all state that changes.
public protocol LogSinkProtocol {
    /// Called on the thread that logs; it should return quickly.
    func writeLog(level: LogLevel, domain: LogDomain, message: String)
}

/// Messages for a sink of one's own.
public struct CustomLogSink: Sendable {
    /// Messages below this level are not written.
    public let level: LogLevel
    /// Messages of other domains are not written.
    public let domains: LogDomains
    /// Its documentation says that it is called on any thread. A lock of ours around the application's code could
    /// deadlock.
    public nonisolated(unsafe) let logSink: any LogSinkProtocol

    /// Of all domains by default.
    public init(level: LogLevel, domains: LogDomains = .all, logSink: any LogSinkProtocol) {
        self.level = level
        self.domains = domains
        self.logSink = logSink
    }

    func wants(_ level: LogLevel, domain: LogDomain) -> Bool {
        self.level != .none && level >= self.level && domains.contains(LogDomains(domain))
    }
}
