import DocumentValues
import FieldRecords

/// Shows long texts page by page, and keeps the lines that were not shown yet. Lines that do not fit on the screen are read
/// when the person asks for them.
final class Pager {
    private var rest: ArraySlice<String> = []
    /// Reads the lines behind `rest`; `nil` where there are none.
    private var unread: (@Sendable () throws -> Portions<String>)?

    /// Whether there are lines that were not shown.
    var isCutShort: Bool { !rest.isEmpty || unread != nil }

    /// - Parameters:
    ///   - lines: none of them is wider than the screen.
    ///   - isWhole: all at once.
    /// - Returns: a line that was typed instead of Enter, and is a command.
    func show(_ lines: Portions<String>, on dialogue: any Dialogue, isWhole: Bool = false) throws -> String? {
        (rest, unread) = ([], nil)
        guard !isWhole, let height = dialogue.screenHeight else {
            try lines.forEach { dialogue.show($0.joined(separator: "\n")) }
            return nil
        }
        (rest, unread) = (lines.first[...], lines.rest)
        try read(lines: height)
        guard rest.count >= height else {
            dialogue.show(rest.joined(separator: "\n"))
            rest = []
            return nil
        }
        return try more(on: dialogue)
    }

    /// Goes on where it was left.
    func more(on dialogue: any Dialogue) throws -> String? {
        guard !rest.isEmpty else {
            dialogue.show("There is nothing more to show.")
            return nil
        }
        while true {
            // The question has a line of its own.
            let height = max(2, dialogue.screenHeight ?? Int.max)
            try read(lines: height)
            let page = rest.prefix(rest.count < height ? rest.count : height - 1)
            dialogue.show(page.joined(separator: "\n"))
            rest = rest.dropFirst(page.count)
            guard !rest.isEmpty else { return nil }
            let count = rest.count.grouped + (unread == nil ? "" : "+")
            switch dialogue.ask("Enter: more (\(count)), q Enter: stop: ") {
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

    /// Until so many lines are there, if the text has as many.
    private func read(lines count: Int) throws {
        while rest.count < count, let read = unread {
            let portion = try read()
            rest += portion.first
            unread = portion.rest
        }
    }
}
