/// Receives the library's messages.
///
/// Like in Couchbase Lite it need not be `Sendable`, but it is called on many threads, at times on several at once: what
/// it keeps besides constants it has to guard.
public protocol LogSinkProtocol {
    /// Is called on the thread that has something to say; it should not take long.
    func writeLog(level: LogLevel, domain: LogDomain, message: String)
}

/// Messages for a sink of one's own.
public struct CustomLogSink: Sendable {
    /// Messages of less are not written.
    public let level: LogLevel
    /// Messages of others are not written.
    public let domains: LogDomains
    /// The protocol's documentation says to those who write one that it is called on any thread: a lock of ours around
    /// their code could wait for itself.
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
