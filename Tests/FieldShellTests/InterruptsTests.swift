import Glibc
import Testing

@testable import FieldShell

/// Ctrl-C, for a job that a script has put into the background: its shell has it ignored.
@Suite(.serialized) struct InterruptsTests {
    private func action() -> sigaction {
        var present = sigaction()
        sigaction(SIGINT, nil, &present)
        return present
    }

    @Test func whatIsIgnoredStaysIgnored() {
        var (former, ignoring) = (action(), sigaction())
        ignoring.__sigaction_handler.sa_handler = SIG_IGN
        sigaction(SIGINT, &ignoring, nil)
        defer { sigaction(SIGINT, &former, nil) }
        let token = Interrupts.shared.handle {}
        #expect(action().isIgnored)
        token.remove()
        #expect(action().isIgnored)
    }

    @Test func whatWasThereIsThereAgain() {
        var (former, usual) = (action(), sigaction())
        usual.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGINT, &usual, nil)
        defer { sigaction(SIGINT, &former, nil) }
        let tokens = [Interrupts.shared.handle {}, Interrupts.shared.handle {}]
        tokens[0].remove()
        #expect(action().__sigaction_handler.sa_handler != nil)
        tokens[1].remove()
        #expect(action().__sigaction_handler.sa_handler == nil)
    }
}
