import DocumentValues
import Glibc

/// Writes lines as they come: to a screen page by page, with a question between two pages, and otherwise many at once.
package struct ScreenPages {
    /// Whether a user who can answer sees the lines.
    private let hasScreen = Terminal.hasInput && Terminal.hasOutput
    private let linesAtOnce: Int
    private var lines: [String] = []
    /// Lines of the screen that they take.
    private var height = 0

    /// - Parameter linesAtOnce: how many are written together where there is no screen.
    package init(linesAtOnce: Int) { self.linesAtOnce = linesAtOnce }

    /// Takes one more line.
    ///
    /// - Returns: false if the user does not want to see more.
    package mutating func show(_ line: String) -> Bool {
        let rows = hasScreen ? max(1, (line.displayWidth - 1) / Terminal.columns + 1) : 1
        // The question has a line of its own.
        let room = hasScreen ? max(1, Terminal.rows - 1) : linesAtOnce
        if !lines.isEmpty, height + rows > room {
            end()
            if hasScreen, !Self.askForMore() { return false }
        }
        lines.append(line)
        height += rows
        return true
    }

    /// Writes the lines that were not written yet.
    package mutating func end() {
        StandardOutput.lines(lines)
        lines.removeAll(keepingCapacity: true)
        height = 0
    }

    /// Waits for the user.
    ///
    /// - Returns: whether to show more.
    private static func askForMore() -> Bool {
        Terminal.write("Enter: more, q Enter: stop: ", to: STDERR_FILENO)
        guard let answer = readLine() else {
            // Ctrl-D leaves the line open.
            Terminal.write("\n", to: STDERR_FILENO)
            return false
        }
        return !["q", "quit", "."].contains(answer.trimmingSpaces.lowercased())
    }
}
