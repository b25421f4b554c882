import Fieldbook
import Logging

/// How much of the log somebody asks for, by the variable `FIELDBOOK_LOG`.
struct AskedLog {
    /// A level's name, of programs or of the library.
    enum Level: String, CaseIterable {
        case trace, debug, verbose, info, notice, warning, error, critical, none

        /// Of the programs' log.
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

        /// Of the library's log.
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

    /// `nil` where nobody asks, or where the word is none that is known.
    let level: Level?
    /// What to say of a word that is no level.
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
