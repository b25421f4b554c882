/// The purpose of a session, which decides whether a user sees its output.
public enum SessionUse: Sendable, Hashable {
    /// A program without a user at the screen, such as the sync service.
    case unattended
    /// One command of a person.
    case command
    /// Many lines; those of a person who is there, or of a file or a pipe.
    case shell(isAttended: Bool)

    var isShell: Bool {
        switch self {
        case .unattended, .command: false
        case .shell: true
        }
    }

    /// Whether Ctrl-C stops a sync rather than the program.
    var stopsOnInterrupt: Bool {
        switch self {
        case .unattended: false
        case .command: true
        case .shell(let isAttended): isAttended
        }
    }
}
