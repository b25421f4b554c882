import DocumentValues
import FormLogic

/// Answers of several lines while they are typed: each line is on the disk before the next is asked.
extension FormConversation {
    mutating func hold(_ written: [String], at node: Record.ID) {
        let text = written.joined(separator: "\n")
        guard begin(text.trimmingSpaces.isEmpty ? nil : text, at: node) else {
            return askForMore(behind: written, at: node)
        }
        save(then: .write(node, lines: written))
    }

    mutating func hold(_ draft: TraceDraft, at node: Record.ID) {
        guard begin(draft.count == 0 ? nil : draft.written, at: node) else { return draw(draft, at: node) }
        save(then: .draw(node, draft))
    }

    /// - Returns: whether there is something to save.
    private mutating func begin(_ text: String?, at node: Record.ID) -> Bool {
        guard (text ?? "").utf8.count <= ConversationLimits.begun, !marks.begun[node].isExactly(text) else {
            return false
        }
        marks.begun[node] = text
        return true
    }

    /// Goes on with the lines that were typed before, where there are some.
    ///
    /// - Returns: whether the next line is asked for.
    mutating func resume(at node: Record.ID) -> Bool {
        guard let text = marks.begun[node] else { return false }
        switch type(of: node) {
        case .plain(.text) where takesLines(node):
            let lines = text.split(atByte: "\n", omittingEmptySubsequences: false).map(String.init)
            show(.info, plain: "Begun before; go on, or end it with a line holding only . (:edit changes it)")
            for line in lines.suffix(ConversationLimits.rows) { show(.row, plain: line) }
            askForMore(behind: lines, at: node)
        case .plain(.geotrace), .plain(.geoshape):
            let draft = TraceDraft(question(at: node), written: text)
            show(.info, plain: "Begun before: \(draft.text)")
            draw(draft, at: node)
        case .plain, .select: return false
        }
        return true
    }
}
