import Glibc
import Synchronization

/// Hides typed characters at a terminal until the end of this object's life, even while no line is read, such as while a key
/// is made. A shell that gets the terminal when the program is stopped finds it in its former state, and after `fg` typed
/// characters are hidden again. There is one such object at a time.
final class HiddenTerminal {
    private let terminal: Int32
    private var replaced: [(number: Int32, action: sigaction)] = []

    /// - Parameter shown: the modes that the terminal had before.
    init(_ terminal: Int32, shown: termios) {
        self.terminal = terminal
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        modes[0] = shown
        modes[1] = hidden
        device.store(terminal, ordering: .sequentiallyConsistent)
        for number in [SIGTSTP, SIGCONT] {
            var (present, own) = (sigaction(), sigaction())
            sigaction(number, nil, &present)
            guard !present.isIgnored else { continue }
            own.__sigaction_handler.sa_handler = giveAndTakeTerminal
            own.sa_flags = SA_RESTART
            sigaction(number, &own, nil)
            replaced.append((number, present))
        }
        hide()
    }

    /// Characters typed before the question are thrown away.
    func hide() { tcsetattr(terminal, TCSAFLUSH, modes + 1) }

    deinit {
        for (number, action) in replaced {
            var action = action
            sigaction(number, &action, nil)
        }
        tcsetattr(terminal, TCSAFLUSH, modes)
    }
}

// Atomic, because a signal's handler reads it: the handler must not allocate, or see a value that is half written.
private let device = Atomic<Int32>(-1)
/// Shown, and hidden.
private nonisolated(unsafe) let modes = {
    let modes = UnsafeMutablePointer<termios>.allocate(capacity: 2)
    modes.initialize(repeating: termios(), count: 2)
    return modes
}()

/// It calls only functions that a handler may call.
private func giveAndTakeTerminal(_ number: Int32) {
    let error = errno
    let terminal = device.load(ordering: .sequentiallyConsistent)
    if number == SIGTSTP {
        tcsetattr(terminal, TCSAFLUSH, modes)
        LineSignals.actAsWithoutHandler(number)
    }
    // In the background this would stop the program once more.
    if tcgetpgrp(terminal) == getpgrp() { tcsetattr(terminal, TCSANOW, modes + 1) }
    errno = error
}
