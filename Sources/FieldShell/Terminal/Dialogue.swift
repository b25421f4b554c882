/// The person at the other end: asked for lines and shown text. Tests and recorded sessions stand in for one.
public protocol Dialogue: AnyObject {
    /// Whether there is somebody to be asked.
    var isInteractive: Bool { get }

    /// - Returns: the line without its end; `nil` when there is no more input.
    func ask(_ prompt: String) -> String?

    /// Asks for something that must not be seen, such as a passphrase.
    func askSecret(_ prompt: String) -> String?

    /// Words that complete what is being typed.
    var completions: [String] { get set }

    /// For a person; never part of what a program reads.
    func tell(_ text: String)
}

/// Nobody to be asked: a one-shot command in a script.
public final class SilentDialogue: Dialogue {
    public var completions: [String] = []
    private let output: (String) -> Void

    /// - Parameter output: where what is told goes, such as the standard error.
    public init(output: @escaping (String) -> Void) { self.output = output }

    public var isInteractive: Bool { false }
    public func ask(_ prompt: String) -> String? { nil }
    public func askSecret(_ prompt: String) -> String? { nil }
    public func tell(_ text: String) { output(text) }
}

/// Lines known beforehand: a recorded session, a pipe, or a test. Prompts and lines are shown as they would stand on a
/// terminal, so that the output reads like the session itself.
public final class ScriptedDialogue: Dialogue {
    public var completions: [String] = []
    public private(set) var transcript = ""
    private var lines: ArraySlice<String>
    private let output: (String) -> Void

    public init(lines: [String], output: @escaping (String) -> Void = { _ in }) {
        self.lines = lines[...]
        self.output = output
    }

    public var isInteractive: Bool { true }

    public func ask(_ prompt: String) -> String? {
        let line = lines.popFirst()
        tell(prompt + (line ?? ""))
        return line
    }

    public func askSecret(_ prompt: String) -> String? {
        tell(prompt)
        return lines.popFirst()
    }

    public func tell(_ text: String) {
        transcript += text + "\n"
        output(text)
    }
}
