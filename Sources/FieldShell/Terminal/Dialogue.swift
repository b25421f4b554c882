import DocumentValues

/// The person at the other end: asked for lines and shown text. Tests and recorded sessions replace one.
public protocol Dialogue: AnyObject {
    /// Whether there is a user to be asked.
    var isInteractive: Bool { get }

    /// Whether a line may confirm a loss for good. Not if the lines come from a pipe: they were written before the
    /// question was known, so a `y` may be the answer to another one.
    var mayConsent: Bool { get }

    /// The line without its end.
    func ask(_ prompt: String) -> Reply

    /// The same for a line of an answer. If the program ends before the line is entered, a long text, which cannot be typed
    /// again from memory, is on the disk.
    ///
    /// - Parameter begun: the lines before it, which are on the disk.
    func ask(_ prompt: String, behind begun: WrittenText?) -> Reply

    /// The same, with a text that the arrow up brings back: an answer that was refused, to be changed.
    func ask(_ prompt: String, recalling text: String?) -> Reply

    /// Asks for something that must not be seen, such as a passphrase.
    func askSecret(_ prompt: String) -> Reply

    /// Hides typed characters until `body` is done: while a key is made of a passphrase, which takes a while, the next
    /// try may already be typed.
    func hidingInput<Value>(_ body: () throws -> Value) rethrows -> Value

    /// Has a text changed in the user's editor. The result is on the disk until it is kept or discarded: if the shell ends
    /// before, the next one names it.
    ///
    /// - Throws: `EditorError` where there is none, or it failed.
    func edit(_ text: String) throws(EditorError) -> WrittenText

    /// Puts a typed text on the disk, like one of an editor.
    func hold(_ text: String) throws(EditorError) -> WrittenText

    /// Keeps a text that became no answer.
    ///
    /// - Returns: where it is; `nil` where nothing is kept.
    func keep(_ text: WrittenText) throws(EditorError) -> String?

    /// A record has the text, or another text that was made of it is on the disk.
    func discard(_ text: WrittenText)

    /// Completes the line that is being typed.
    var completer: Completer { get set }

    /// Lines of the screen; `nil` if there is no screen, or no user to turn its pages.
    var screenHeight: Int? { get }

    /// Cells of a line of the screen.
    var columns: Int { get }

    /// For a person; never part of what a program reads.
    func show(_ text: String)

    /// Lines that a program may read, as they are: broken nowhere, whatever the width of the screen.
    func showWhole(_ lines: [String])
}

/// The reply to a question.
public enum Reply: Sendable, Hashable {
    case line(String)
    /// Ctrl-C: the question is called off. With the unfinished text of the line.
    case interrupted(unfinished: String = "")
    /// Ctrl-D, or the end of a file: there is no more input.
    case end

    /// The line, for those to whom it does not matter why there is none.
    public var line: String? {
        switch self {
        case .line(let text): text
        case .interrupted, .end: nil
        }
    }
}

/// Why a text was not edited.
public struct EditorError: UserFacingError {
    public let description: String

    init(_ description: String) { self.description = description }
}

extension Dialogue {
    public var mayConsent: Bool { isInteractive }

    public func ask(_ prompt: String, behind begun: WrittenText?) -> Reply { ask(prompt) }

    public func ask(_ prompt: String, recalling text: String?) -> Reply { ask(prompt, behind: nil) }

    public func showWhole(_ lines: [String]) { lines.forEach(show) }

    public var columns: Int { ShellLimits.columns }

    public var screenHeight: Int? { nil }

    public func edit(_ text: String) throws(EditorError) -> WrittenText {
        throw EditorError("There is no editor here; a line that ends with \\ goes on in the next.")
    }

    public func hold(_ text: String) throws(EditorError) -> WrittenText { WrittenText(text) }

    public func keep(_ text: WrittenText) throws(EditorError) -> String? { nil }

    public func discard(_ text: WrittenText) {}

    public func hidingInput<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }
}

/// A person called a command off, by Ctrl-C or Ctrl-D.
struct Stopped: UserFacingError {
    let description: String

    init(_ outcome: String = "Nothing was changed.") { description = "Stopped. \(outcome)" }
}

/// A dialogue without a user: a one-shot command in a script.
public final class SilentDialogue: Dialogue {
    public var completer = Completer()
    private let output: (String) -> Void

    /// - Parameter output: takes the messages, such as the standard error.
    public init(output: @escaping (String) -> Void) { self.output = output }

    public var isInteractive: Bool { false }
    public func ask(_ prompt: String) -> Reply { .end }
    public func askSecret(_ prompt: String) -> Reply { .end }
    public func show(_ text: String) { output(text) }
}

/// Lines known beforehand: a recorded session, a pipe, or a test. Prompts and lines are shown as they would be on a
/// terminal, so that the output reads like the session itself.
public final class ScriptedDialogue: Dialogue {
    public var completer = Completer()
    public private(set) var transcript = ""
    public var screenHeight: Int?
    public var columns = ShellLimits.columns
    private var lines: ArraySlice<String>
    public let mayConsent: Bool
    private let output: (String) -> Void

    public init(lines: [String], mayConsent: Bool = true, output: @escaping (String) -> Void = { _ in }) {
        self.lines = lines[...]
        self.mayConsent = mayConsent
        self.output = output
    }

    public var isInteractive: Bool { true }

    public func ask(_ prompt: String) -> Reply {
        let reply = next()
        show(prompt + (reply.line ?? ""))
        return reply
    }

    public func askSecret(_ prompt: String) -> Reply {
        show(prompt)
        return next()
    }

    /// A line that is the character of Ctrl-C or of Ctrl-D alone represents the key; the former may have text before it.
    private func next() -> Reply {
        switch lines.popFirst() {
        case nil, "\u{4}"?: .end
        case let line? where line.unicodeScalars.last == "\u{3}":
            .interrupted(unfinished: String(line.unicodeScalars.dropLast()))
        case let line?: .line(line)
        }
    }

    public func show(_ text: String) {
        transcript += text + "\n"
        output(text)
    }
}
