import DocumentValues
import Glibc

/// Lines of the standard input that is no terminal, read one by one as they are needed. Questions and messages go to the
/// standard error.
public final class PipedDialogue: Dialogue {
    public var completer = Completer()

    public init() {}

    public var isInteractive: Bool { true }
    /// The lines were written before the questions were known.
    public var mayConsent: Bool { false }

    public func ask(_ prompt: String) -> Reply {
        let line = readLine()
        show(prompt + (line ?? ""))
        return line.map { .line($0) } ?? .end
    }

    public func askSecret(_ prompt: String) -> Reply {
        show(prompt)
        return readLine().map { .line($0) } ?? .end
    }

    public func show(_ text: String) { Terminal.writeWrapped(text.printable, to: STDERR_FILENO) }
}
