/// How long a line is remembered.
public enum LineMemory: Sendable, Hashable {
    /// In the history file, for later sessions.
    case forever
    /// Until the shell is left.
    case session
}

/// Decides which lines are remembered. A password that is typed at the prompt for commands must not get into a file:
/// only commands do, and after a failed login a line that is no command is not remembered at all.
struct HistoryPolicy {
    private var loginFailed = false

    func memory(of command: Result<ParsedCommand?, UsageError>) -> LineMemory? {
        switch command {
        case .success(let parsed?): Self.namesSecret(parsed) ? nil : .forever
        case .success(nil): nil
        case .failure: loginFailed ? nil : .session
        }
    }

    /// `wss://mara:PASSWORD@gateway.example/field` is refused, and not remembered either.
    private static func namesSecret(_ parsed: ParsedCommand) -> Bool {
        guard case .login(let request) = parsed.command else { return false }
        return request.gateway?.utf8.contains(UInt8(ascii: "@")) == true
    }

    mutating func noteEnd(of command: Result<ParsedCommand?, UsageError>, isDone: Bool) {
        switch command {
        case .success(let parsed?):
            if case .login = parsed.command { loginFailed = !isDone } else if isDone { loginFailed = false }
        case .success(nil), .failure: break
        }
    }
}
