import CEditline
import Glibc

/// Handles signals for a line that is being edited, and for its terminal. Only for the thread that edits it.
enum SignalledLine {
    static func take(_ number: Int32) {
        switch number {
        case SIGWINCH:
            resize()
            draw()
        case SIGCONT: goOn()
        case SIGTSTP:
            leave()
            LineSignals.actAsWithoutHandler(number)
            goOn()
        default: endProgram(by: number)
        }
    }

    /// Whether the text of the line is taken from the library before the program ends. If another program has the terminal,
    /// taking it would stop this one.
    static func cutsOff(_ number: Int32) -> Bool {
        guard ![SIGWINCH, SIGCONT, SIGTSTP].contains(number) else { return false }
        // -1 where the terminal is gone.
        let group = tcgetpgrp(STDIN_FILENO)
        return group < 0 || group == getpgrp()
    }

    static func endProgram(by number: Int32) {
        leave()
        LineSignals.actAsWithoutHandler(number)
    }

    /// At the first key of a line: the library reads the size when it begins one.
    ///
    /// - Parameter prompt: the text before the cursor.
    static func begin(behind prompt: String) {
        guard hasTerminal else { return }
        let rowsUp = prompt.displayWidth / Terminal.columns
        resize()
        if rowsUp > 0 { Terminal.write("\u{1B}[\(rowsUp)A", to: STDOUT_FILENO) }
        draw()
    }

    /// The library takes the screen for higher than any text: it loses count of the lines that it lets go at the top of a lower
    /// one, and ends the program with the next key (libedit 3.1).
    private static func resize() {
        rl_resize_terminal()
        fieldbook_set_rows(Int32(ShellLimits.editedRows))
    }

    /// The terminal as a shell or another program expects it.
    private static func leave() {
        guard hasTerminal else { return }
        Terminal.write(PasteFilter.end, to: STDOUT_FILENO)
        rl_deprep_terminal()
    }

    /// Another program had the terminal while this one was stopped, and may have changed its modes and its size.
    private static func goOn() {
        guard hasTerminal else {
            // Another program has it: this one stops once more until it is brought to the foreground.
            return LineSignals.actAsWithoutHandler(SIGTTIN)
        }
        // The library sets no modes that it takes for set.
        rl_deprep_terminal()
        rl_prep_terminal(1)
        resize()
        Terminal.write(PasteFilter.begin, to: STDOUT_FILENO)
        draw()
    }

    /// The library draws from where it takes the cursor to be, at the beginning of a line.
    private static func draw() {
        guard hasTerminal else { return }
        Terminal.write("\r\u{1B}[J", to: STDOUT_FILENO)
        rl_forced_update_display()
    }

    /// Whether the program is in the foreground.
    private static var hasTerminal: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }
}
