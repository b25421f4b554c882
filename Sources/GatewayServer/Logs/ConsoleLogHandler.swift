import DocumentValues
import Foundation
import Glibc
import Logging

/// Writes a line for each event to standard error, as text or as JSON, redacted.
package struct ConsoleLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    /// The level that was set for this logger alone; otherwise that of the console counts.
    private var ownLevel: Logger.Level?
    private let level: ConsoleLevel
    private let label: String
    private let format: LoggingConfiguration.Format
    private let redaction: Redaction
    private let counts: LogCounts
    private let write: @Sendable (String) -> Void

    package init(
        label: String, level: ConsoleLevel, format: LoggingConfiguration.Format, redaction: Redaction,
        counts: LogCounts = LogCounts(),
        write: @escaping @Sendable (String) -> Void = ConsoleLogHandler.writeLine
    ) {
        self.label = label
        self.level = level
        self.format = format
        self.redaction = redaction
        self.counts = counts
        self.write = write
    }

    /// A closed pipe of the log must not end the gateway.
    private static let writeLine: @Sendable (String) -> Void = {
        try? FileHandle.standardError.write(contentsOf: Data($0.utf8))
    }

    /// Warnings are always handled here, to be counted.
    package var logLevel: Logger.Level {
        get { ownLevel ?? min(level.value.loggerLevel ?? .critical, .warning) }
        set { ownLevel = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        counts.count(event.level)
        guard ownLevel != nil || level.allows(event.level) else { return }
        var given = metadata.merging(event.metadata ?? [:]) { _, new in new }
        if let error = event.error { given["error"] = "\(error)" }
        let fields = redaction.apply(to: given)
            .sorted { $0.key < $1.key }.map { (key: $0.key, value: "\($0.value)") }
        let time = LogTime.now()
        switch format {
        case .text:
            let pairs = fields.map { "\($0.key.printableLine)=\(Self.quoted($0.value))" }
            let line = [time, event.level.rawValue, "\(label):"] + pairs + ["\(event.message)".printableLine]
            write(line.joined(separator: " ") + "\n")
        case .json:
            var object: JSONObject = [
                "time": .string(time), "level": .string(event.level.rawValue), "logger": .string(label),
                "message": .string("\(event.message)"),
            ]
            // Fields of an event must not replace the log's own fields.
            for field in fields where object[field.key] == nil { object[field.key] = .string(field.value) }
            write("\(JSONValue.object(object))".printableJSON + "\n")
        }
    }

    /// As JSON if it has spaces, quotation marks or control characters, which are then escaped.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.printableLine.isExactly(text) && !text.utf8.contains { $0 == 0x20 || $0 == 0x22 }
        return isPlain ? text : "\(JSONValue.string(text))".printableJSON
    }
}

/// Times as logs write them: UTC with milliseconds.
enum LogTime {
    static func now() -> String {
        let (seconds, thousandths) = Int64(Date().timeIntervalSince1970 * 1_000).quotientAndRemainder(dividingBy: 1_000)
        let zeros = thousandths < 10 ? "00" : thousandths < 100 ? "0" : ""
        return "\(HTTPDate.rfc3339(seconds).dropLast()).\(zeros)\(thousandths)Z"
    }
}
