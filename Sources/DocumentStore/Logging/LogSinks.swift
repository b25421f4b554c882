import Synchronization

/// Where the library's messages go: to the console from `.warning` on unless something else is set. A sink that is `nil`
/// writes nothing. Documents' bodies, passwords, sessions and keys are in no message.
public final class LogSinks: Sendable {
    private struct State {
        var console: ConsoleLogSink? = ConsoleLogSink(level: .warning)
        var file: FileLogSink?
        var custom: CustomLogSink?
        var writer: LogFileWriter?
        var observers: [UInt64: @Sendable (LogLevel, LogDomain, String) -> Void] = [:]
        var nextObserver: UInt64 = 0

        /// Whether any sink writes such a message.
        func wants(_ level: LogLevel, domain: LogDomain) -> Bool {
            if !observers.isEmpty { return true }
            if let console, console.wants(level, domain: domain) { return true }
            if let file, file.wants(level) { return true }
            return custom?.wants(level, domain: domain) ?? false
        }
    }

    private static let state = Mutex(State())

    /// Standard error; by default from `.warning` on, of all domains.
    public static var console: ConsoleLogSink? {
        get { state.withLock { $0.console } }
        set { change { $0.console = newValue } }
    }

    /// Gives some domains a level of their own on the console, and leaves the others as they are.
    static func setConsole(_ level: LogLevel, of domains: LogDomains) {
        change { state in
            var console = state.console ?? ConsoleLogSink(level: .none)
            console.set(level, of: domains)
            state.console = console
        }
    }

    /// Files in a folder; by default none.
    public static var file: FileLogSink? {
        get { state.withLock { $0.file } }
        set {
            change { state in
                if newValue?.hasSameFiles(as: state.file) != true {
                    state.writer = newValue.map { LogFileWriter($0) }
                }
                state.file = newValue
            }
        }
    }

    /// A sink of one's own; by default none.
    public static var custom: CustomLogSink? {
        get { state.withLock { $0.custom } }
        set { change { $0.custom = newValue } }
    }

    private init() {}

    private static func change(_ body: (inout State) -> Void) {
        // Not under the lock: a sink may call the library when it is released.
        let former = state.withLock { state in
            let former = state
            body(&state)
            return former
        }
        withExtendedLifetime(former) {}
    }

    /// Gets every message, beside the sinks, whichever messages they want.
    package static func observe(
        _ body: @escaping @Sendable (LogLevel, LogDomain, String) -> Void
    ) -> ListenerToken {
        let number = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = body
            return state.nextObserver
        }
        return ListenerToken { _ = state.withLock { $0.observers.removeValue(forKey: number) } }
    }

    /// Gives a message to each sink that wants it. The text is made only if one does.
    package static func write(_ level: LogLevel, domain: LogDomain, message: () -> String) {
        let sinks = state.withLock { $0.wants(level, domain: domain) ? $0 : nil }
        guard let sinks else { return }
        let text = message()
        if let console = sinks.console, console.wants(level, domain: domain) {
            console.write(level, domain: domain, message: text)
        }
        if let file = sinks.file, file.wants(level) { sinks.writer?.write(level, domain: domain, message: text) }
        if let custom = sinks.custom, custom.wants(level, domain: domain) {
            custom.logSink.writeLog(level: level, domain: domain, message: text)
        }
        for observer in sinks.observers.values { observer(level, domain, text) }
    }
}

/// Messages of one domain.
package struct LibraryLog: Sendable {
    package static let database = LibraryLog(.database)
    package static let query = LibraryLog(.query)
    package static let replicator = LibraryLog(.replicator)
    package static let network = LibraryLog(.network)

    private let domain: LogDomain

    private init(_ domain: LogDomain) { self.domain = domain }

    package func verbose(_ message: @autoclosure () -> String) {
        LogSinks.write(.verbose, domain: domain, message: message)
    }
    package func info(_ message: @autoclosure () -> String) { LogSinks.write(.info, domain: domain, message: message) }
    package func warning(_ message: @autoclosure () -> String) {
        LogSinks.write(.warning, domain: domain, message: message)
    }
    package func error(_ message: @autoclosure () -> String) {
        LogSinks.write(.error, domain: domain, message: message)
    }
}
