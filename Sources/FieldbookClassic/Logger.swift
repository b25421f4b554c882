import DocumentStore

/// Receives the library's messages, as Couchbase Lite 2.5 to 3.x has it: `Database.log.custom = MyLogger()`.
///
/// It is called on many threads, at times on several at once. `Fieldbook` does not have it, since its name would make the
/// `Logger` of swift-log ambiguous wherever both are imported: new code sets `LogSinks.custom`.
public protocol Logger {
    /// Messages of less are not given to it; asked when it is set.
    var level: LogLevel { get }
    /// Is called on the thread that has something to say; it should not take long.
    func log(level: LogLevel, domain: LogDomain, message: String)
}

extension Database.Log {
    /// A logger of one's own, in `LogSinks.custom`; `nil` where there is none, or another sink.
    public var custom: (any Logger)? {
        get { (LogSinks.custom?.logSink as? LoggerSink)?.logger }
        nonmutating set {
            LogSinks.custom = newValue.map { CustomLogSink(level: $0.level, logSink: LoggerSink(logger: $0)) }
        }
    }
}

private struct LoggerSink: LogSinkProtocol {
    let logger: any Logger

    func writeLog(level: LogLevel, domain: LogDomain, message: String) {
        logger.log(level: level, domain: domain, message: message)
    }
}
