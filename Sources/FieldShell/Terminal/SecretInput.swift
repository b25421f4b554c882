import Glibc

/// Reads lines from the terminal itself without showing them. Nothing is shown from the first line on until the end of
/// this object's life, and what was typed without having been asked for is thrown away: it may be a secret.
final class SecretInput {
    private let terminal: Int32
    private var shown = termios()

    /// `nil` without a terminal.
    init?() {
        terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        guard tcgetattr(terminal, &shown) == 0 else {
            close(terminal)
            return nil
        }
    }

    deinit {
        tcsetattr(terminal, TCSAFLUSH, &shown)
        close(terminal)
    }

    private func hide() {
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(terminal, TCSAFLUSH, &hidden)
    }

    /// Back to a visible terminal, then out: Ctrl-C while a key is made.
    func leaveOnInterrupt() -> Interrupts.Token {
        let (terminal, shown) = (terminal, shown)
        return Interrupts.shared.handle {
            var shown = shown
            tcsetattr(terminal, TCSAFLUSH, &shown)
            Terminal.write("\n", to: terminal)
            _exit(ShellLimits.interruptedStatus)
        }
    }

    func read(_ prompt: String) -> Reply {
        hide()
        Terminal.write(prompt, to: terminal)
        let reply = readLine()
        Terminal.write("\n", to: terminal)
        return reply
    }

    private func readLine() -> Reply {
        let input = InterruptibleInput()
        var line: [UInt8] = []
        while line.count < ShellLimits.secretFile {
            guard let byte = input.byte(of: terminal) else {
                if input.isInterrupted { return .interrupted }
                guard !line.isEmpty else { return .end }
                break
            }
            if byte == 0x0A { break }
            line.append(byte)
        }
        // Bytes that are no text cannot be a passphrase either; it is refused like a wrong one.
        return .line(String(decoding: line, as: UTF8.self))
    }
}
