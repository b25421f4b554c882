/// A question on a screen of some width.
enum PromptLayout {
    /// What is shown above the line in which somebody types, and what that line begins with: the library that
    /// edits lines would break a long question in the middle of a word.
    static func split(_ prompt: String, columns: Int) -> (above: String?, line: String) {
        guard prompt.displayWidth >= columns || prompt.utf8.contains(0x0A) else { return (nil, prompt) }
        let lines = prompt.wrapped(to: max(1, columns - ShellLimits.answerRoom))
        let spaces = prompt.utf8.reversed().prefix { $0 == 0x20 }.count
        let last = (lines.last ?? "") + String(repeating: " ", count: spaces)
        return (lines.count > 1 ? lines.dropLast().joined(separator: "\n") : nil, last)
    }
}
