import Synchronization

/// Spellings of Couchbase Lite 2.x and 3.x; they set the sinks.
extension Database {
    /// 2.0: the level of these domains on the console; the other domains keep theirs.
    @available(*, deprecated, message: "Use LogSinks.console.")
    public static func setLogLevel(_ level: LogLevel, domain: LogDomains) {
        LogSinks.setConsole(level, of: domain)
    }

    /// 2.5 to 3.x.
    @available(*, deprecated, message: "Use LogSinks.")
    public static var log: Log { Log() }

    /// The console, the file and the logger of one's own, as 3.x names them.
    public struct Log: Sendable {
        /// Messages on standard error.
        public var console: ConsoleLogger { ConsoleLogger() }
        /// Messages in files.
        public var file: FileLogger { FileLogger() }
    }

    /// Sets ``LogSinks/console``.
    public struct ConsoleLogger: Sendable {
        /// Messages below this level are not written.
        public var level: LogLevel {
            get { LogSinks.console?.level ?? .none }
            nonmutating set { LogSinks.console = ConsoleLogSink(level: newValue, domains: domains) }
        }

        /// Messages of other domains are not written.
        public var domains: LogDomains {
            get { LogSinks.console?.domains ?? .all }
            nonmutating set { LogSinks.console = ConsoleLogSink(level: level, domains: newValue) }
        }
    }

    /// Sets ``LogSinks/file``.
    public struct FileLogger: Sendable {
        /// Kept until a configuration is set.
        private static let level = Mutex(LogLevel.info)

        /// Messages below this level are not written.
        public var level: LogLevel {
            get { LogSinks.file?.level ?? Self.level.withLock { $0 } }
            nonmutating set {
                Self.level.withLock { $0 = newValue }
                if let config { set(config) }
            }
        }

        /// Where the files are; `nil` for none, the default.
        public var config: LogFileConfiguration? {
            get { LogSinks.file.map { LogFileConfiguration($0) } }
            nonmutating set {
                if let newValue { set(newValue) } else { LogSinks.file = nil }
            }
        }

        private func set(_ config: LogFileConfiguration) {
            LogSinks.file = FileLogSink(
                level: Self.level.withLock { $0 }, directory: config.directory, usePlainText: config.usePlainText,
                maxKeptFiles: max(0, min(config.maxRotateCount, StoreLimits.logFiles - 1)) + 1,
                maxFileSize: config.maxSize)
        }
    }
}

/// The configuration of log files, as 2.5 to 3.x have it.
public final class LogFileConfiguration {
    /// Has no effect here, where the files are always plain text.
    public static let defaultUsePlainText = FileLogSink.defaultUsePlainText
    /// Half a megabyte, in bytes.
    public static let defaultMaxSize = FileLogSink.defaultMaxFileSize
    /// One file beside the one that is being written.
    public static let defaultMaxRotateCount = FileLogSink.defaultMaxKeptFiles - 1

    /// The folder of the files; it is made if it does not exist.
    public let directory: String
    /// Here the files are always plain text.
    public var usePlainText = defaultUsePlainText
    /// Bytes.
    public var maxSize = defaultMaxSize
    /// Files beside the one that is being written.
    public var maxRotateCount = defaultMaxRotateCount

    /// Two files of half a megabyte.
    public init(directory: String) { self.directory = directory }

    init(_ sink: FileLogSink) {
        directory = sink.directory
        usePlainText = sink.usePlainText
        maxSize = sink.maxFileSize
        maxRotateCount = max(1, sink.maxKeptFiles) - 1
    }
}
