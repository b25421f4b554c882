extension ShellCommand {
    /// Whether somebody may be asked for texts.
    var asksForAnswers: Bool {
        switch self {
        case .new, .edit, .start, .sendBack: true
        default: false
        }
    }
}
