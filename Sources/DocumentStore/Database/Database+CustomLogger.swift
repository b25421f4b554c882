extension Database {
    /// Receives the library's messages, as Couchbase Lite 2.5 to 3.x has it: `Database.log.custom = MyLogger()`.
    ///
    /// There the protocol is called `Logger`. That name alone would make the `Logger` of swift-log ambiguous wherever both are
    /// imported, so only `FieldbookClassic` has it. With `Fieldbook` a class is a `Database.Logger`, or its file begins with
    /// `private typealias Logger = Database.Logger`. New code sets ``LogSinks/custom``.
    ///
    /// It is called on many threads, at times on several at once.
    public protocol Logger {
        /// Messages below this level are not given to it; read when it is set.
        var level: LogLevel { get }
        /// Called on the thread that logs; it should return quickly.
        func log(level: LogLevel, domain: LogDomain, message: String)
    }
}

extension Database.Log {
    /// A logger of one's own, in ``LogSinks/custom``; `nil` where there is none, or another sink.
    public var custom: (any Database.Logger)? {
        get { (LogSinks.custom?.logSink as? LoggerSink)?.logger }
        nonmutating set {
            LogSinks.custom = newValue.map { CustomLogSink(level: $0.level, logSink: LoggerSink(logger: $0)) }
        }
    }
}

private struct LoggerSink: LogSinkProtocol {
    let logger: any Database.Logger

    func writeLog(level: LogLevel, domain: LogDomain, message: String) {
        logger.log(level: level, domain: domain, message: message)
    }
}
