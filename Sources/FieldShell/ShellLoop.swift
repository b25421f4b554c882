/// The shell: a line, a command, a result, a text, until the end.
public struct ShellLoop {
    private let session: ShellSession
    private let dialogue: any Dialogue
    private let renderer: () -> TextRenderer
    /// Takes a line for the history.
    private let remember: (String, LineMemory) -> Void

    public init(
        _ session: ShellSession, renderer: @escaping () -> TextRenderer,
        remember: @escaping (String, LineMemory) -> Void = { _, _ in }
    ) {
        self.session = session
        dialogue = session.dialogue
        self.renderer = renderer
        self.remember = remember
    }

    /// - Returns: how many commands failed.
    public func run() async -> Int {
        var failures = 0
        var policy = HistoryPolicy()
        session.emit = { [dialogue, renderer] in dialogue.tell(renderer().text($0)) }
        while true {
            dialogue.completer = Completer(listing: session.listing.map(\.shortID))
            switch dialogue.ask(session.prompt()) {
            case .end: return failures
            case .interrupted: continue
            case .line(let line):
                let command = Result { () throws(UsageError) in try CommandParser.parse(line: line) }
                if let memory = policy.memory(of: command) { remember(line, memory) }
                let outcome = await perform(command)
                policy.noteEnd(of: command, isDone: outcome == .done)
                switch outcome {
                case .done: continue
                case .failed: failures += 1
                case .left: return failures
                }
            }
        }
    }

    private enum Outcome {
        case done
        case failed
        case left
    }

    private func perform(_ command: Result<ParsedCommand?, UsageError>) async -> Outcome {
        do {
            guard let parsed = try command.get() else { return .done }
            session.asksNothing = parsed.common.asksNothing
            let result = try await CommandRunner(session).run(parsed.command)
            if case .quit = result { return .left }
            let text =
                parsed.common.isJSON ? JSONRenderer.lines(result).joined(separator: "\n") : renderer().text(result)
            dialogue.tell(text)
            return result.exitStatus == 0 ? .done : .failed
        } catch {
            session.meter.finish()
            dialogue.tell(CommandMentions.inShell(ErrorWords.text(error)).printable)
            return .failed
        }
    }
}
