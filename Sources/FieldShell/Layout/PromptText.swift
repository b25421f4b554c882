/// The prompt of a shell: `fieldbook (2 due, 3 to send)> `, or `fieldbook> ` if nothing waits.
enum PromptText {
    /// - Parameters:
    ///   - marks: the most urgent first. The first is always shown; others that would leave too little room for the line are
    ///     left out, which `…` says.
    ///   - columns: of the screen.
    static func text(marks: [String], columns: Int) -> String {
        guard !marks.isEmpty else { return "fieldbook> " }
        var shown = marks
        while shown.count > 1, text(of: shown, isWhole: shown.count == marks.count).displayWidth > room(columns) {
            shown.removeLast()
        }
        return text(of: shown, isWhole: shown.count == marks.count)
    }

    private static func room(_ columns: Int) -> Int { columns - ShellLimits.lineRoom }

    private static func text(of marks: [String], isWhole: Bool) -> String {
        "fieldbook (\((isWhole ? marks : marks + ["…"]).joined(separator: ", ")))> "
    }
}
