import Glibc
import Synchronization

/// Ctrl-C in a shell while a command runs that is done as a whole or not at all: the first is answered, the second
/// ends the shell.
final class InterruptTimeout: Sendable {
    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private let count: Count
    private let token: Interrupts.Token

    init() {
        let count = Count()
        self.count = count
        token = Interrupts.shared.handle { Self.answer(count) }
    }

    /// A command begins.
    func begin() { count.value.store(0, ordering: .relaxed) }

    func end() { token.remove() }

    private static func answer(_ count: Count) {
        guard count.value.add(1, ordering: .relaxed).oldValue == 0 else {
            Terminal.write("\n", to: STDERR_FILENO)
            _exit(ShellLimits.interruptedStatus)
        }
        Terminal.write(
            "\nThis is not stopped half-way. Ctrl-C once more leaves the shell; what was saved before is safe.\n",
            to: STDERR_FILENO)
    }
}
