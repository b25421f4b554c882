import DocumentValues

/// Text that was pasted while one line was asked for: its line breaks are shown as a sign, and the line is entered by a
/// person, so that three lines never answer three questions.
enum PastedLines {
    /// Represents a line break while the line is edited.
    static let sign: Unicode.Scalar = "\u{23CE}"

    /// With line breaks, where the answer may have several lines.
    static func restored(_ text: String) -> String { replaced(text, by: "\n") }

    /// As one line.
    static func joined(_ text: String) -> String { replaced(text, by: " ") }

    private static func replaced(_ text: String, by other: Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.lazy.map { $0 == sign ? other : $0 })
        return String(scalars).trimmingSpaces
    }
}
