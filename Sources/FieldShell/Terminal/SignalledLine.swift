import CEditline
import Glibc

/// What becomes of a line that is edited, and of its terminal, when a signal arrives. Only for the thread that edits it.
enum SignalledLine {
    static func take(_ number: Int32) {
        switch number {
        case SIGWINCH:
            rl_resize_terminal()
            draw()
        case SIGCONT: goOn()
        case SIGTSTP:
            leave()
            LineSignals.actAsWithoutHandler(number)
            goOn()
        default:
            leave()
            LineSignals.actAsWithoutHandler(number)
        }
    }

    /// The terminal as a shell or another program expects it.
    private static func leave() {
        guard hasTerminal else { return }
        Terminal.write(PasteFilter.end, to: STDOUT_FILENO)
        rl_deprep_terminal()
    }

    /// Another program had the terminal meanwhile, and may have changed its modes and its size.
    private static func goOn() {
        guard hasTerminal else {
            // Another program has it: this one stops once more until it is brought to the foreground.
            return LineSignals.actAsWithoutHandler(SIGTTIN)
        }
        // The library sets no modes that it takes for set.
        rl_deprep_terminal()
        rl_prep_terminal(1)
        rl_resize_terminal()
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
