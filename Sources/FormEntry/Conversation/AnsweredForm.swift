import DocumentValues
import FormLogic

/// A filled form for its reader: the answers with their labels below the headings of their groups, calculated values, and
/// the remarks.
package struct AnsweredForm {
    private var conversation: FormConversation

    /// - Parameters:
    ///   - form: the one that the state's program is of, with its lists.
    ///   - now: milliseconds since 1970.
    ///   - language: `nil` for that of the form.
    package init(
        form: Form, state: FormState, marks: FormMarks, zone: any FormZone, now: Int64, language: Name? = nil
    ) {
        conversation = FormConversation(
            form: form, state: state, marks: marks, zone: zone, now: now, language: language)
    }

    private var record: Record { conversation.record }

    /// Questions without an answer only where they were left open, or have a remark.
    package func lines() -> [String] {
        var lines: [String] = []
        // Headings are shown before the first line below them.
        var headings: [String] = []
        var open = [(node: Record.root, depth: 0)]
        while let (node, depth) = open.popLast() {
            guard record[node].isRelevant else { continue }
            let isQuestion = conversation.outline[record[node].formNode].type != nil
            let margin = String(repeating: "  ", count: max(0, depth - 1))
            if isQuestion {
                let found = self.lines(of: node).map { margin + $0 }
                guard !found.isEmpty else { continue }
                lines += headings.prefix(depth - 1).filter { !$0.isEmpty } + found
                headings = headings.map { _ in "" }
                continue
            }
            if depth > 0 { headings = headings.prefix(depth - 1) + [heading(of: node).map { margin + $0 } ?? ""] }
            open += record.children(of: node).reversed().map { ($0, depth + 1) }
        }
        return lines
    }

    private func heading(of node: Record.ID) -> String? {
        if conversation.outline[record[node].formNode].isRepeat { return conversation.instanceTitle(node) }
        return conversation.formNode(of: node).label == nil ? nil : conversation.title(node)
    }

    // MARK: Questions

    private func lines(of node: Record.ID) -> [String] {
        let type = conversation.type(of: node)
        guard type.isVisible else { return type == .plain(.calculate) ? calculated(node) : [] }
        var lines: [String] = []
        if let answer = record.answer(of: node), type != .plain(.note) {
            lines = texts(of: answer, at: node)
        } else if conversation.marks.skipped.contains(node) {
            lines = ["– (left open)"]
        }
        let remark = conversation.marks.notes[node]
        if lines.isEmpty, remark != nil { lines = ["–"] }
        guard let first = lines.first else { return [] }
        let rest = lines.dropFirst().map { "  \($0)" }
        return ["\(conversation.title(node)): \(first)"] + rest + (remark.map { ["  remark: \($0.onOneLine)"] } ?? [])
    }

    private func calculated(_ node: Record.ID) -> [String] {
        guard let answer = record.answer(of: node) else { return [] }
        let text = answer.text.onOneLine.shortened(toScalars: ConversationLimits.answer)
        return ["\(conversation.formNode(of: node).name) = \(text)"]
    }

    /// All lines of a text.
    private func texts(of answer: Answer, at node: Record.ID) -> [String] {
        let formNode = conversation.formNode(of: node)
        if case .text(let text) = answer, conversation.type(of: node) == .text, !formNode.hasAppearance("masked") {
            return text.split(atByte: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return [conversation.shown(answer, at: node)]
    }
}
