import Fieldbook
import Logging

/// How much of the log the user requests, by the variable `FIELDBOOK_LOG`.
struct AskedLog {
    /// The names of levels of both logs, that of the programs and that of the library.
    enum Level: String, CaseIterable {
        case trace, debug, verbose, info, notice, warning, error, critical, none

        /// The level for the programs' log.
        var ofPrograms: Logger.Level {
            switch self {
            case .trace: .trace
            case .debug, .verbose: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            case .critical, .none: .critical
            }
        }

        /// The level for the library's log.
        var ofLibrary: LogLevel {
            switch self {
            case .trace: .debug
            case .debug, .verbose: .verbose
            case .info, .notice: .info
            case .warning: .warning
            case .error, .critical: .error
            case .none: .none
            }
        }
    }

    /// `nil` if the variable is not set, or if its value is not a known level.
    let level: Level?
    /// The warning about a value that is not a level.
    let warning: String?

    init(_ text: String?) {
        let word = text?.lowercased() ?? ""
        level = Level(rawValue: word)
        warning = level == nil && !word.isEmpty ? Self.warning(of: word) : nil
    }

    private static func warning(of word: String) -> String {
        let names = Level.allCases.map(\.rawValue).joined(separator: ", ")
        return "FIELDBOOK_LOG is '\(word.prefix(40))', which is no level: only errors are logged. Levels: \(names)."
    }
}
