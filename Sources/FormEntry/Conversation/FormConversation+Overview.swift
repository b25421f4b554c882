import DocumentValues
import FormLogic

extension FormConversation {
    // MARK: At a glance

    /// The form with its answers, numbers, open and wrong ones, and calculated values.
    mutating func showAll(at stop: FormStop) {
        showHeader(at: stop)
        listed = course.questions
        var open = [(node: Record.root, depth: 0)]
        while let (node, depth) = open.popLast() {
            guard record[node].isRelevant else { continue }
            if let type = outline[record[node].formNode].type {
                if type.isVisible { showRow(node) } else { showCalculated(node, type: type) }
                continue
            }
            if depth > 0 { showGroupRow(node) }
            open += record.children(of: node).reversed().map { ($0, depth + 1) }
        }
        show(.info, plain: "To go to one of them: :go NUMBER")
        askAgain(at: stop)
    }

    private mutating func showGroupRow(_ node: Record.ID) {
        let title = outline[record[node].formNode].isRepeat ? instanceTitle(node) : title(node)
        guard formNode(of: node).label != nil || outline[record[node].formNode].isRepeat else { return }
        show(.heading, plain: title + " ›")
    }

    private mutating func showCalculated(_ node: Record.ID, type: QuestionType) {
        guard type == .plain(.calculate), let answer = record.answer(of: node) else { return }
        let text = answer.text.onOneLine.shortened(toScalars: ConversationLimits.answer)
        show(.row, plain: "  \(formNode(of: node).name) = \(text)")
    }

    mutating func showRow(_ node: Record.ID) {
        let number = course.numbers[node].map { "\($0) " } ?? ""
        if isNote(node) { return show(.row, plain: "\(number)\(title(node)) (note)") }
        let answer = presentText(of: node, isNumbered: false)
        let mark = mark(of: node).map { "  (\($0))" } ?? ""
        let remark = marks.notes[node] == nil ? "" : "  (remark)"
        show(.row, plain: "\(number)\(title(node)): \(answer ?? "–")\(mark)\(remark)")
    }

    /// `open` for one that has to be answered, or was skipped; `wrong`.
    private mutating func mark(of node: Record.ID) -> String? {
        guard let answer = record.answer(of: node) else {
            return marks.skipped.contains(node) || state.isRequired(node) ? "open" : nil
        }
        return state.failure(of: answer, at: node) == nil ? nil : "wrong"
    }

    // MARK: Reports

    /// What the form's rules could not work out, once in a conversation.
    mutating func showReports() {
        let all = state.allReports.filter { reported.insert($0).inserted }
        guard !all.isEmpty else { return }
        let texts = Set(all.map { Name(text(of: $0)) }).sorted()
        for text in texts.prefix(ConversationLimits.changes) { show(.warning, plain: text.text) }
        if texts.count > ConversationLimits.changes {
            show(.warning, plain: "and \(texts.count - ConversationLimits.changes) more defects of the form")
        }
    }

    /// `A defect of the form: relevant of depth: a text is no number (R1 in number)`
    private func text(of report: FormReport) -> String {
        let name = record.ancestry(of: report.node).isEmpty ? "" : formNode(of: report.node).name.text
        let code = report.report.code
        return
            "A defect of the form: \(report.rule.rawValue) of \(name): \(code.meaning) "
            + "(\(code.rawValue) in \(report.report.function)). Its author should know."
    }
}

extension Report.Code {
    fileprivate var meaning: String {
        switch self {
        case .unreadable: "a value cannot be read"
        case .severalNodes: "several values are where one is needed"
        case .pattern: "a pattern cannot be used"
        case .outOfRange: "a value is out of range"
        case .missingFile: "a file is not here"
        case .unknownAlgorithm: "an algorithm is not known"
        case .cannotHold: "the result does not fit the question"
        case .limit: "a limit is exceeded"
        }
    }
}
