/// The shell: a line, a command, a result, a text, until the end.
public struct ShellLoop {
    private let session: ShellSession
    private let dialogue: any Dialogue
    private let renderer: () -> TextRenderer
    /// Keeps a line for the history.
    private let remember: (String) -> Void

    public init(
        _ session: ShellSession, renderer: @escaping () -> TextRenderer, remember: @escaping (String) -> Void = { _ in }
    ) {
        self.session = session
        dialogue = session.dialogue
        self.renderer = renderer
        self.remember = remember
    }

    /// - Returns: how many commands failed.
    public func run() async -> Int {
        var failures = 0
        session.emit = { [dialogue, renderer] in dialogue.tell(renderer().text($0)) }
        let commands = CommandCatalogue.all.filter { $0.isAvailable(in: .shell) }.map(\.name.rawValue)
        while true {
            dialogue.completions = commands + session.completionWords
            guard let line = dialogue.ask("fieldbook> ") else { return failures }
            remember(line)
            do {
                guard let parsed = try CommandParser.parse(line: line) else { continue }
                session.asksNothing = parsed.common.asksNothing
                let result = try await CommandRunner(session).run(parsed.command)
                if case .quit = result { return failures }
                let text =
                    parsed.common.isJSON ? JSONRenderer.lines(result).joined(separator: "\n") : renderer().text(result)
                dialogue.tell(text)
            } catch {
                session.meter.finish()
                failures += 1
                dialogue.tell(ErrorWords.text(error).printable)
            }
        }
    }
}

extension ShellSession {
    /// Words that may follow: options, kinds, and the ids of the last list.
    fileprivate var completionWords: [String] {
        let options = Set(CommandCatalogue.all.flatMap { $0.options.map(\.name) }).sorted()
        return options + ["inspections", "findings", "sites", "assignments", "forms"] + listing.map(\.shortID)
    }
}
