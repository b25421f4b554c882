import DocumentValues

/// Shows long texts page by page, and keeps the lines that were not shown yet.
final class Pager {
    private var rest: ArraySlice<String> = []

    /// - Parameters:
    ///   - text: no line of it is wider than the screen.
    ///   - isWhole: all at once.
    /// - Returns: a line that was typed instead of Enter, and is a command.
    func show(_ text: String, on dialogue: any Dialogue, isWhole: Bool = false) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard !isWhole, let height = dialogue.screenHeight, lines.count >= height else {
            rest = []
            dialogue.show(text)
            return nil
        }
        rest = lines[...]
        return more(on: dialogue)
    }

    /// Goes on where it was left.
    func more(on dialogue: any Dialogue) -> String? {
        guard !rest.isEmpty else {
            dialogue.show("There is nothing more to show.")
            return nil
        }
        while true {
            // The question has a line of its own.
            let height = max(2, dialogue.screenHeight ?? rest.count + 1)
            let page = rest.prefix(rest.count < height ? rest.count : height - 1)
            dialogue.show(page.joined(separator: "\n"))
            rest = rest.dropFirst(page.count)
            guard !rest.isEmpty else { return nil }
            switch dialogue.ask("Enter: more (\(rest.count.grouped)), q Enter: stop: ") {
            case .interrupted, .end: return nil
            case .line(let line):
                switch line.trimmingSpaces.lowercased() {
                case "", "m", "more": continue
                case "q", "quit", ".": return nil
                default: return line
                }
            }
        }
    }
}
