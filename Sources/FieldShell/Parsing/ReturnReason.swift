import DocumentValues

/// Why an inspection is returned, as its inspector reads it.
struct ReturnReason {
    let text: String

    /// `nil` for a text that is invisible.
    init?(_ typed: String) {
        text = typed.trimmingSpaces
        let isBlank = text.unicodeScalars.allSatisfy {
            $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
                || $0.properties.generalCategory == .control
        }
        if isBlank { return nil }
    }

    static let isMissing = UsageError(
        "Give the reason: 'return' needs more arguments.",
        hint: CommandCatalogue.specification(of: .sendBack).usageLine)
}
