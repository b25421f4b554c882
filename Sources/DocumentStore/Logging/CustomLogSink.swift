/// Receives the library's messages.
public protocol LogSinkProtocol: Sendable {
    /// Is called on the thread that has something to say; it should not take long.
    func writeLog(level: LogLevel, domain: LogDomain, message: String)
}

/// Messages for a sink of one's own.
public struct CustomLogSink: Sendable {
    public let level: LogLevel
    public let domains: LogDomains
    public let logSink: any LogSinkProtocol

    public init(level: LogLevel, domains: LogDomains = .all, logSink: any LogSinkProtocol) {
        self.level = level
        self.domains = domains
        self.logSink = logSink
    }

    func wants(_ level: LogLevel, _ domain: LogDomain) -> Bool {
        self.level != .none && level >= self.level && domains.contains(LogDomains(domain))
    }
}
