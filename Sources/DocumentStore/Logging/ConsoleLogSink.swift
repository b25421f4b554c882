import DocumentValues
import Foundation

/// Writes messages to standard error, a line each.
public struct ConsoleLogSink: Sendable {
    /// Messages below this level are not written.
    public let level: LogLevel
    /// Messages of other domains are not written.
    public let domains: LogDomains
    /// The levels of domains that have one of their own.
    private var ownLevels: [LogDomain: LogLevel] = [:]

    /// Of all domains by default.
    public init(level: LogLevel, domains: LogDomains = .all) {
        self.level = level
        self.domains = domains
    }

    func wants(_ level: LogLevel, domain: LogDomain) -> Bool {
        if let own = ownLevels[domain] { return own != .none && level >= own }
        return self.level != .none && level >= self.level && domains.contains(LogDomains(domain))
    }

    mutating func set(_ level: LogLevel, of domains: LogDomains) {
        for domain in LogDomain.allCases where domains.contains(LogDomains(domain)) { ownLevels[domain] = level }
    }

    func write(_ level: LogLevel, domain: LogDomain, message: String) {
        // One write, so that lines of several threads stay whole.
        try? FileHandle.standardError.write(
            contentsOf: Data(LogLine.text(level, domain: domain, message: message).utf8))
    }
}

/// A message as a line of text.
enum LogLine {
    /// With the day and the zone, since files are written for weeks and compared with the gateway's.
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// `2026-11-21T10:15:02.123Z [Replicator] Warning: …`
    static func text(_ level: LogLevel, domain: LogDomain, message: String, date: Date = .now) -> String {
        let time = style.format(date)
        let oneLine = message.split(whereSeparator: \.isNewline).joined(separator: " ").withControlsEscaped
        return "\(time) [\(domain.title)] \(title(level)): \(oneLine)\n"
    }

    private static func title(_ level: LogLevel) -> String {
        switch level {
        case .debug: "Debug"
        case .verbose: "Verbose"
        case .info: "Info"
        case .warning: "Warning"
        case .error: "Error"
        case .none: "None"
        }
    }
}
