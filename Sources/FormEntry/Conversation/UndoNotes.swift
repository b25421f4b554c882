import FormLogic

/// The answers that came back when one was taken back.
struct UndoNotes {
    private(set) var lines: [String] = []

    /// - Parameters:
    ///   - conversation: in its state before the step.
    ///   - later: the state behind the step.
    init(conversation: FormConversation, step: FormConversation.Step, later: FormState) {
        for change in step.changes {
            guard case .answer(let node, let old, _, let cause) = change, lines.count < ConversationLimits.changes
            else {
                continue
            }
            switch cause {
            case .person, .filter, .trigger:
                // A node of an instance that was added is none any more; the question itself is named already.
                guard conversation.course.contains(.question(node)), step.stop != .question(node) else { continue }
                let text =
                    conversation.formNode(of: node).hasAppearance("masked")
                    ? "•••" : old.map { conversation.shown($0, at: node).onOneLine } ?? "(no answer)"
                lines.append("\(conversation.path(of: node)): \(text)")
            case .calculation, .preset: continue
            }
        }
        let added = conversation.record.count - later.record.count
        if added > 0 { lines.append("The instance is back with its answers.") }
        if added < 0 { lines.append("The instance is gone again.") }
    }
}
