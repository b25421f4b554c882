import DocumentValues
import FieldRecords

/// The shell: a line, a command, a result, a text, until the end.
public struct ShellLoop {
    private let session: ShellSession
    private let dialogue: any Dialogue
    private let asksNothing: Bool
    private let renderer: () -> TextRenderer
    /// Takes a line for the history.
    private let remember: (String, LineMemory) -> Void

    /// - Parameters:
    ///   - isAttended: a person types the lines.
    ///   - asksNothing: each line is taken as if `--yes` were behind it.
    public init(
        _ session: ShellSession, isAttended: Bool = false, asksNothing: Bool = false,
        renderer: @escaping () -> TextRenderer,
        remember: @escaping (String, LineMemory) -> Void = { _, _ in }
    ) {
        self.session = session
        dialogue = session.dialogue
        session.use = .shell(isAttended: isAttended)
        self.asksNothing = asksNothing
        self.renderer = renderer
        self.remember = remember
    }

    /// - Returns: 0 where all commands succeeded; otherwise the highest exit status of those that failed.
    public func run() async -> Int32 {
        var status: Int32 = 0
        var policy = HistoryPolicy()
        // Typed where a page was to be turned.
        var typed: String?
        session.emit = { [dialogue, renderer] result in
            do { dialogue.show(try renderer().text(result)) } catch {
                dialogue.show(ErrorText.text(error, spelling: .shell).printable)
            }
        }
        while true {
            dialogue.completer = Completer(listing: session.shown.list.references.map(\.shortID))
            let reply = typed.map { Reply.line($0) } ?? dialogue.ask(Prompt(session: session).text())
            typed = nil
            switch reply {
            case .end: return status
            case .interrupted: continue
            case .line(let line):
                let command = Result { () throws(UsageError) in try CommandParser.parse(line: line) }
                if let memory = policy.memory(of: command) { remember(line, memory) }
                let outcome = await perform(command)
                policy.noteEnd(of: command, isDone: outcome.isDone)
                switch outcome {
                case .done(let next): typed = next
                case .failed(let failed): status = max(status, failed)
                case .left: return status
                }
            }
        }
    }

    private enum Outcome {
        /// With a line that was typed while it was shown.
        case done(String?)
        case failed(Int32)
        case left

        var isDone: Bool {
            if case .done = self { true } else { false }
        }
    }

    private func show(_ result: CommandResult, common: CommonOptions) throws -> String? {
        if case .more = result { return try session.pager.more(on: dialogue) }
        if common.isJSON {
            try JSONRenderer.portions(result, of: session).forEach(dialogue.showWhole)
            return nil
        }
        return try session.pager.show(renderer().lines(result), on: dialogue, isWhole: common.isWhole)
    }

    private func perform(_ command: Result<ParsedCommand?, UsageError>) async -> Outcome {
        do {
            guard let parsed = try command.get() else { return .done(nil) }
            session.asksNothing = asksNothing || parsed.common.asksNothing
            let result = try await CommandRunner(session).run(parsed.command)
            if case .quit = result { return .left }
            let typed = try show(result, common: parsed.common)
            return result.exitStatus == 0 ? .done(typed) : .failed(result.exitStatus)
        } catch {
            session.meter.finish()
            dialogue.show(ErrorText.text(error, spelling: .shell).printable)
            return .failed(ErrorText.exitStatus(error))
        }
    }
}
