import FieldSync
import Glibc

extension SyncStop {
    /// Asks for the end when the person presses Ctrl-C, until the token is removed.
    func askOnInterrupt() -> Interrupts.Token {
        Interrupts.shared.handle {
            // Behind the ^C that the terminal has just shown.
            Terminal.write("\n", to: STDERR_FILENO)
            self.ask()
        }
    }
}
