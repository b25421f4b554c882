import CEditline

/// Lines of the prompt, which keys of the line editor bring back there. At a question a command would be taken for the answer.
struct LineHistory {
    private var lines: [String] = []
    /// Whether the library has them.
    private var isThere = true

    mutating func add(_ line: String) {
        lines.append(line)
        if lines.count > ShellLimits.history { lines.removeFirst() }
        if isThere { add_history(line) }
    }

    /// - Parameter isQuestion: of the line that is edited next.
    mutating func prepare(isQuestion: Bool) {
        guard isThere == isQuestion else { return }
        isThere = !isQuestion
        guard isThere else { return clear_history() }
        for line in lines { add_history(line) }
    }

    /// - Parameter text: the only line that the keys bring back at the question that is asked next.
    mutating func prepareQuestion(recalling text: String?) {
        prepare(isQuestion: true)
        clear_history()
        if let text, !text.isEmpty { add_history(text) }
    }
}
