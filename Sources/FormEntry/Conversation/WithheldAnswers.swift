import DocumentValues
import FormLogic

/// Answers to questions that are not asked any more by the answers to others. A draft keeps them, and they come back with
/// their questions; a final record lacks them.
struct WithheldAnswers {
    private(set) var count = 0
    /// Of the outermost groups and questions that are not asked, each once.
    private var titles: [String] = []

    init(_ conversation: FormConversation) {
        let (record, outline) = (conversation.record, conversation.outline)
        var seen: Set<Name> = []
        // With the outermost one around each node that is not asked.
        var open: [(node: Record.ID, top: Record.ID?)] = [(Record.root, nil)]
        while let (node, above) = open.popLast() {
            let top = above ?? (record[node].isRelevant ? nil : node)
            guard let type = outline[record[node].formNode].type else {
                open += record.children(of: node).reversed().map { ($0, top) }
                continue
            }
            guard let top, type.isVisible, record.answer(of: node) != nil, Self.isGiven(node, in: conversation) else {
                continue
            }
            count += 1
            let title = conversation.title(top)
            if seen.insert(Name(title)).inserted { titles.append(title) }
        }
    }

    /// A default of a question that was never asked is no answer of the person.
    private static func isGiven(_ node: Record.ID, in conversation: FormConversation) -> Bool {
        let formNode = conversation.formNode(of: node)
        return conversation.hiddenAnswers.contains(node)
            || (formNode.defaultValue == nil && formNode.calculation == nil)
    }

    /// `7 answers are set aside, and the final record will not have them: Finding`
    var text: String {
        let named = titles.prefix(ConversationLimits.changes).joined(separator: ", ")
        let more = titles.count > ConversationLimits.changes ? " …" : ""
        let subject = count == 1 ? "1 answer is" : "\(count) answers are"
        return "\(subject) set aside, and the final record will not have \(count == 1 ? "it" : "them"): \(named)\(more)"
    }
}
