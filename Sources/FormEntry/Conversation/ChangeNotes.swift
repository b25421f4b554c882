import DocumentValues
import FormLogic

/// What an answer changed besides itself, as the person should know it.
struct ChangeNotes {
    private(set) var lines: [ShownLine] = []
    private let conversation: FormConversation
    /// Questions whose answers were set aside, or came back.
    private(set) var hiddenAnswers: Set<Record.ID>

    /// - Parameter cause: the question that was answered.
    init(conversation: FormConversation, changes: [FormChange], cause: Record.ID?) {
        self.conversation = conversation
        hiddenAnswers = conversation.hiddenAnswers
        noteRelevance(changes, becomes: false)
        noteRelevance(changes, becomes: true)
        for change in changes {
            guard case .answer(let node, let old, let new, let changeCause) = change else { continue }
            switch changeCause {
            case .filter: noteDropped(old, kept: new, at: node, cause: cause)
            case .trigger: noteTriggered(new, at: node)
            case .person, .calculation, .preset: continue
            }
        }
        if lines.count > ConversationLimits.changes {
            let more = lines.count - ConversationLimits.changes
            lines = lines.prefix(ConversationLimits.changes) + [ShownLine(.warning, plain: "and \(more) more changes")]
        }
    }

    private var record: Record { conversation.record }

    /// `3 answers set aside: Cold store`
    private mutating func noteRelevance(_ changes: [FormChange], becomes isRelevant: Bool) {
        var changed: [Record.ID] = []
        for case .relevance(let node, isRelevant) in changes where record[node].isRelevant == isRelevant {
            changed.append(node)
        }
        let all = Set(changed)
        let answers = changed.filter { node in
            conversation.outline[record[node].formNode].type?.isVisible == true && record.answer(of: node) != nil
                && (!isRelevant || hiddenAnswers.contains(node))
        }
        // A default that appears for the first time is not back.
        if isRelevant { hiddenAnswers.subtract(answers) } else { hiddenAnswers.formUnion(answers) }
        guard !answers.isEmpty else { return }
        var titles: [Name] = []
        for node in answers {
            let top = record.ancestry(of: node).first { all.contains($0) } ?? node
            let title = Name(conversation.title(top))
            if !titles.contains(title) { titles.append(title) }
        }
        let count = answers.count == 1 ? "1 answer" : "\(answers.count) answers"
        let names = titles.prefix(ConversationLimits.changes).map(\.text).joined(separator: ", ")
        lines.append(ShownLine(.warning, plain: "\(count) \(isRelevant ? "back" : "set aside"): \(names)"))
    }

    /// `District: 'Alder' cleared, it does not belong to the new Region`
    private mutating func noteDropped(_ old: Answer?, kept: Answer?, at node: Record.ID, cause: Record.ID?) {
        func names(_ answer: Answer?) -> [Name] {
            switch answer {
            case .names(let names)?: names
            case let answer?: [Name(answer.text)]
            case nil: []
            }
        }
        let left = Set(names(kept))
        let lost = names(old).filter { !left.contains($0) }
            .map { "'\(conversation.choiceLabel($0, at: node))'" }.joined(separator: ", ")
        guard !lost.isEmpty else { return }
        let done = kept == nil ? "cleared" : "removed"
        let reason =
            cause.map { "it does not belong to the new \(conversation.title($0))" } ?? "it is not offered any more"
        lines.append(ShownLine(.warning, plain: "\(conversation.path(of: node)): \(lost) \(done), \(reason)"))
    }

    private mutating func noteTriggered(_ new: Answer?, at node: Record.ID) {
        guard conversation.outline[record[node].formNode].type?.isVisible == true, record[node].isRelevant else {
            return
        }
        let text = new.map { conversation.shown($0, at: node).onOneLine } ?? "cleared"
        lines.append(ShownLine(.warning, plain: "\(conversation.path(of: node)): \(text) (by a rule of the form)"))
    }
}
