extension ShellCommand {
    /// Whether it may ask the user for texts.
    var asksForAnswers: Bool {
        switch self {
        case .new, .edit, .start, .sendBack: true
        case .fill(let request): !request.isScripted
        default: false
        }
    }
}
