import Foundation

/// Regular expressions in Java's dialect, as far as ICU has it.
package enum FormPattern {
    package enum Outcome: Sendable, Hashable {
        case matches, differs
        /// The pattern cannot be read.
        case invalid
        /// More work than a form may ask for.
        case tooSlow
    }

    package static func isValid(_ pattern: String) -> Bool { compiled(pattern) != nil }

    /// Whether the whole text matches.
    package static func match(_ text: String, pattern: String) -> Outcome {
        // By itself first: the parentheses around it could close those that it leaves open.
        guard pattern.utf8.count <= FormLimits.pattern, compiled(pattern) != nil,
            let whole = compiled("\\A(?:\(pattern))\\z")
        else { return .invalid }
        guard text.utf8.count <= FormLimits.answer else { return .tooSlow }
        var outcome = Outcome.differs
        var calls = 0
        whole.enumerateMatches(
            in: text, options: [.reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: text.utf16.count)
        ) { result, flags, stop in
            if result != nil {
                outcome = .matches
                stop.pointee = true
            } else if flags.contains(.internalError) {
                outcome = .tooSlow
            } else if flags.contains(.progress) {
                calls += 1
                if calls > FormLimits.patternProgress {
                    outcome = .tooSlow
                    stop.pointee = true
                }
            }
        }
        return outcome
    }

    private static func compiled(_ pattern: String) -> NSRegularExpression? {
        pattern.isEmpty ? try? NSRegularExpression(pattern: "(?:)") : try? NSRegularExpression(pattern: pattern)
    }
}
