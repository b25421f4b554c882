import Glibc

/// Reads lines from the terminal itself without showing them. Typed characters are hidden from the first line on until
/// the end of this object's life, and those typed before a question are thrown away: they may be a secret.
final class SecretInput {
    private let terminal: Int32
    private var shown = termios()
    /// From the first line on.
    private var hidden: HiddenTerminal?

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
        if hidden == nil { Self.set(shown, echoes: true, of: terminal, when: TCSAFLUSH) }
        // It gives the terminal back.
        hidden = nil
        close(terminal)
    }

    private func hide() {
        if let hidden { return hidden.hide() }
        hidden = HiddenTerminal(terminal, shown: shown)
    }

    private static func set(_ shown: termios, echoes: Bool, of terminal: Int32, when: Int32) {
        var modes = shown
        if !echoes { modes.c_lflag &= ~tcflag_t(ECHO) }
        tcsetattr(terminal, when, &modes)
    }

    /// Back to a visible terminal, then out: Ctrl-C while a key is made.
    func leaveOnInterrupt() -> Interrupts.Token {
        let (terminal, shown) = (terminal, shown)
        return Interrupts.shared.handle {
            Self.set(shown, echoes: true, of: terminal, when: TCSAFLUSH)
            Terminal.write("\n", to: terminal)
            _exit(ShellLimits.interruptedStatus)
        }
    }

    func read(_ prompt: String) -> Reply {
        hide()
        Terminal.write(prompt, to: terminal)
        let signals = signals(at: prompt)
        let reply = readLine(actingOn: signals)
        signals.putBack()
        Terminal.write("\n", to: terminal)
        return reply
    }

    /// A shell that gets the terminal while the program is stopped has to find it in its former state, and does not
    /// restore the state that is needed here.
    private func signals(at prompt: String) -> LineSignals {
        LineSignals { [terminal, shown] number in
            switch number {
            case SIGWINCH: break
            case SIGCONT:
                Self.set(shown, echoes: false, of: terminal, when: TCSANOW)
                Terminal.write(prompt, to: terminal)
            case SIGTSTP:
                Self.set(shown, echoes: true, of: terminal, when: TCSAFLUSH)
                LineSignals.actAsWithoutHandler(number)
                Self.set(shown, echoes: false, of: terminal, when: TCSANOW)
            default:
                Self.set(shown, echoes: true, of: terminal, when: TCSAFLUSH)
                LineSignals.actAsWithoutHandler(number)
            }
            return true
        }
    }

    private func readLine(actingOn signals: LineSignals) -> Reply {
        let input = InterruptibleInput()
        var line: [UInt8] = []
        while line.count < ShellLimits.secretFile {
            guard let byte = input.byte(of: terminal, actingOn: signals) else {
                if input.isInterrupted { return .interrupted() }
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
