/// A question on a screen of some width.
enum PromptLayout {
    /// The text above the line in which the user types, and the beginning of that line: the library that edits lines
    /// would break a long question in the middle of a word.
    static func split(_ prompt: String, columns: Int) -> (above: String?, line: String) {
        guard prompt.displayWidth >= columns || prompt.utf8.contains(0x0A) else { return (nil, prompt) }
        let whole = prompt.replacing(choice, with: unbroken)
        let lines = whole.wrapped(to: max(1, columns - ShellLimits.answerRoom)).map {
            $0.replacing(unbroken, with: choice)
        }
        let spaces = prompt.utf8.reversed().prefix { $0 == 0x20 }.count
        let last = (lines.last ?? "") + String(repeating: " ", count: spaces)
        return (lines.count > 1 ? lines.dropLast().joined(separator: "\n") : nil, last)
    }

    /// The typed answer stays beside the hint for Enter.
    private static let choice = "y or n [n]"
    private static let unbroken = "y\u{A0}or\u{A0}n\u{A0}[n]"
}
