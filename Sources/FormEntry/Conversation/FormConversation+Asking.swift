import DocumentValues
import FormLogic

extension FormConversation {
    /// Shows the stop, or the first behind it that is asked, and asks.
    ///
    /// - Parameter showsPage: the header and the headings, even if they are on the screen.
    mutating func go(to stop: FormStop, showingPage showsPage: Bool = false) {
        refusals = 0
        refused = nil
        asked = nil
        if showsPage { page = nil }
        var next = stop
        while case .question(let node) = next, !isAsked(node) {
            showPage(around: node)
            showPassed(node)
            next = course.stop(after: next)
        }
        switch next {
        case .question(let node):
            asked = (node, question(at: node))
            showPage(around: node)
            showQuestion(node)
            if resume(at: node) { return }
        case .another: break
        case .end: showEnd()
        }
        ask(at: next)
    }

    static let endHelp = ":done finalises, :quit leaves the draft, < goes back, :all shows the answers."

    private mutating func showEnd() {
        page = nil
        showHeader(at: .end)
        let open = openCount(at: .end)
        let still = open == 0 ? "" : ", and \(open) \(open == 1 ? "is" : "are") still open"
        show(.info, plain: "That was the last question\(still). \(Self.endHelp)")
    }

    // MARK: Header, headings

    mutating func showHeader(at stop: FormStop) {
        var parts = [language.pick(form.title)?.text.onOneLine ?? form.id.text]
        switch keeping {
        case .saved: if let savedAt { parts.append("draft saved \(clock(savedAt))") }
        case .unsaved, .superseded: parts.append("not saved")
        case .trial: parts.append("trial, not saved")
        }
        let open = openCount(at: stop)
        let count = course.numbers.count
        let progress =
            stop.node.flatMap { course.numbers[$0] }.map { "question \($0) of \(count)" }
            ?? (count == 1 ? "1 question" : "\(count) questions")
        parts.append(open == 0 ? progress : "\(progress) (\(open) open)")
        let code = form.languages.isEmpty ? "" : language.chosen.map { "[\($0)]  " } ?? ""
        lines.append(
            ShownLine(.header, text: StyledText(parts.joined(separator: " · ")), trailing: "\(code)? help"))
    }

    /// Questions without an answer that were left open by `:skip`, or have to be answered as far as the person has come in
    /// the form: up to the stop, or to the last answer. The question of the stop itself is being asked.
    mutating func openCount(at stop: FormStop) -> Int {
        let questions = course.questions
        let answered = questions.lastIndex { node in
            let formNode = formNode(of: node)
            return record.answer(of: node) != nil && formNode.defaultValue == nil && formNode.calculation == nil
        }
        let reached = max(course.questionCount(before: stop), answered ?? 0)
        var count = 0
        for (index, node) in questions.enumerated() where record.answer(of: node) == nil {
            let isPassed = index < reached && node != stop.node && !isNote(node)
            if marks.skipped.contains(node) || (isPassed && state.isRequired(node)) { count += 1 }
        }
        return count
    }

    private mutating func showPage(around node: Record.ID) {
        guard let parent = record[node].parent else { return }
        let present = FormPage(parent: parent, language: language.chosen)
        guard page != present else { return }
        let former = page.flatMap { $0.language == language.chosen ? $0.parent : nil }
        page = present
        showHeader(at: .question(node))
        let titles = titles(around: node)
        if !titles.isEmpty { show(.heading, plain: titles.joined(separator: " › ") + " ›") }
        if let list = fieldList(around: node), former.map({ fieldList(around: $0) != list }) ?? true {
            showFieldList(list)
        }
    }

    /// The outermost group around a node, itself included, whose questions are on one page.
    private func fieldList(around node: Record.ID) -> Record.ID? {
        record.ancestry(of: node).first { formNode(of: $0).type == nil && formNode(of: $0).hasAppearance("field-list") }
    }

    private mutating func showFieldList(_ group: Record.ID) {
        for node in course.questions where record.ancestry(of: node).contains(group) { showRow(node) }
    }

    // MARK: Questions

    private mutating func showQuestion(_ node: Record.ID) {
        let formNode = formNode(of: node)
        if isNote(node) { return showNote(node) }
        var text = label(node)
        if state.isRequired(node) { text.append("  *") }
        if takesLines(node) { text.append("   end with a line holding only .") }
        if type(of: node) == .plain(.acknowledge), record.answer(of: node) == nil {
            text.append("   (Enter gives OK, n leaves it open)")
        }
        show(.question, text: text)
        showHints(formNode, at: node)
        if !isInShownGrid(node) { showChoices(at: node) }
    }

    private mutating func showHints(_ formNode: FormNode, at node: Record.ID) {
        if let hint = formNode.hint {
            let text = styled(hint, at: node)
            if !text.isEmpty { show(.hint, text: text) }
        }
        if let example = formNode.parameters["placeholder"], !example.isEmpty { show(.hint, plain: example) }
        showMedia(formNode.media)
        if type(of: node) == .plain(.range) {
            let scale = RangeScale(formNode.parameters)
            show(.hint, plain: "\(scale.text(scale.value(at: 0))) to \(scale.text(scale.value(at: scale.last)))")
        }
        if let note = marks.notes[node] { show(.hint, plain: "your remark: \(note.onOneLine)") }
    }

    private mutating func showMedia(_ media: FormMedia) {
        for item in media.items {
            guard let file = language.pick(item.file)?.text else { continue }
            show(.media, plain: "\(item.kind.rawValue): \(file.printableLine) (:open to look)")
        }
    }

    private mutating func showNote(_ node: Record.ID) {
        var text = label(node)
        if let answer = record.answer(of: node) { text.append(" \(answer.text.onOneLine)") }
        text.append("   (note, Enter goes on)")
        show(.note, text: text)
        if let hint = formNode(of: node).hint { show(.hint, text: styled(hint, at: node)) }
        showMedia(formNode(of: node).media)
    }

    /// A question that is not asked.
    private mutating func showPassed(_ node: Record.ID) {
        if formNode(of: node).hasAppearance("label"), case .select = type(of: node) {
            show(.question, text: label(node))
            return showChoices(at: node)
        }
        var text = label(node)
        text.append(": \(presentText(of: node) ?? "–")   (not to be changed)")
        show(.question, text: text)
    }

    func takesLines(_ node: Record.ID) -> Bool {
        let formNode = formNode(of: node)
        return type(of: node) == .text && (formNode.hasAppearance("multiline") || formNode.parameters["rows"] != nil)
    }

    // MARK: Choices

    /// Whether the heading of a grid has the choices of this question.
    private func isInShownGrid(_ node: Record.ID) -> Bool {
        guard case .select(_, let source) = type(of: node), let parent = record[node].parent else { return false }
        let isGrid =
            formNode(of: parent).hasAppearance("table-list")
            || ["list-nolabel", "list"].contains { formNode(of: node).hasAppearance($0) }
        guard isGrid else { return false }
        // Shown by the first of them.
        return record.children(of: parent).contains { other in
            record[other].formNode < record[node].formNode && record[other].isRelevant
                && Self.source(of: outline[record[other].formNode].type) == source
        }
    }

    private static func source(of type: QuestionType?) -> QuestionType.ChoiceSource? {
        guard case .select(_, let source) = type else { return nil }
        return source
    }

    mutating func showChoices(at node: Record.ID) {
        guard case .select(let kind, _) = type(of: node) else { return showTicks(at: node) }
        let index = question(at: node).choices
        let count = index.choices.count
        if count == 0 {
            return show(.warning, plain: "No choice is offered here by the answers before; :skip goes on.")
        }
        guard count <= ConversationLimits.listedChoices else {
            return show(.hint, plain: "\(count) choices: type a part to narrow them, Tab completes.")
        }
        showRows(Array(index.choices.indices), of: index, kind: kind, at: node)
    }

    private mutating func showTicks(at node: Record.ID) {
        guard type(of: node) == .plain(.range) else { return }
        let index = question(at: node).choices
        for choice in index.choices.indices {
            show(.choice, plain: "\(index.choices[choice].name) \(index.label(choice))")
        }
    }

    /// With the numbers by which they can be chosen.
    mutating func showRows(_ rows: [Int], of index: ChoiceIndex, kind: QuestionType.SelectKind, at node: Record.ID) {
        let texts = choiceTexts(of: node)
        let chosen: Set<Name> = if case .names(let names)? = record.answer(of: node) { Set(names) } else { [] }
        for row in rows {
            let choice = index.choices[row]
            let mark = kind == .multiple ? (chosen.contains(choice.name) ? "[x] " : "[ ] ") : ""
            var text = StyledText("\(row + 1) \(mark)")
            let label = texts[choice.name].map { styled($0, at: node) } ?? StyledText(index.label(row))
            text.append(label.isEmpty ? StyledText(choice.name.text) : label)
            show(.choice, text: text)
        }
    }

    /// The labels of a list of the form, which may be styled and missing in the language.
    private func choiceTexts(of node: Record.ID) -> [Name: FormText] {
        guard case .select(_, .list(let name)) = type(of: node), let list = form.list(name),
            list.choices.count <= FormLimits.choicesInDefinition
        else { return [:] }
        let labelled = list.choices.compactMap { choice in choice.label.map { (choice.name, $0) } }
        return Dictionary(labelled) { first, _ in first }
    }

    // MARK: The line

    /// Behind a list or a question back: the question is shown once more.
    mutating func askAgain(at stop: FormStop) {
        if case .question(let node) = stop { showQuestion(node) }
        ask(at: stop)
    }

    /// Asks at a stop that is on the screen.
    mutating func ask(at stop: FormStop) {
        stage = .asking(stop)
        var line = AskedLine()
        switch stop {
        case .question(let node): line = askedLine(at: node)
        case .another(let spot):
            let count = record.children(of: spot.parent, formNode: spot.formNode).count
            let article = count == 0 ? "a" : "another"
            let progress = count == 0 ? "" : " (\(count) so far)"
            line.question = "Add \(article) \(title(spot))?\(progress) y/N/list"
            line.completions = ["y", "n", "list"]
        case .end: break
        }
        act(.ask(line))
    }

    private func askedLine(at node: Record.ID) -> AskedLine {
        let formNode = formNode(of: node)
        var line = AskedLine()
        line.refused = refused
        if isNote(node) { return line }
        line.present = presentText(of: node)
        switch type(of: node) {
        case .select:
            let index = question(at: node).choices
            line.completions = index.choices.indices.map { index.label($0) }
        case .plain(.image), .plain(.audio), .plain(.video), .plain(.file): line.input = .path
        case .plain(.text):
            if takesLines(node) { line.input = .lines }
            if formNode.hasAppearance("masked") { line.input = .masked }
        case .plain: break
        }
        return line
    }

    /// The answer that Enter keeps.
    ///
    /// - Parameter isNumbered: whether choices have their numbers where they are on the screen.
    func presentText(of node: Record.ID, isNumbered: Bool = true) -> String? {
        guard let answer = record.answer(of: node) else { return nil }
        let formNode = formNode(of: node)
        if formNode.hasAppearance("masked") { return "•••" }
        if formNode.hasAppearance("hidden-answer") { return "(scanned)" }
        let text = shown(answer, at: node, isNumbered: isNumbered).onOneLine
        return text.unicodeScalars.count > ConversationLimits.answer
            ? text.shortened(toScalars: ConversationLimits.answer) : text
    }

    /// The lines that Tab completes behind a colon.
    package var commands: [String] {
        var names: [String] = []
        var seen: Set<Name> = []
        for node in course.questions where seen.insert(formNode(of: node).name).inserted {
            names.append(":go \(formNode(of: node).name)")
        }
        let codes = form.languages.map { ":lang \($0.code)" }
        let repeats = outline.entries.filter { $0.isRepeat && $0.node.repeatCount == nil }.flatMap { entry in
            [":add \(entry.node.name)", ":drop \(entry.node.name)"]
        }
        return TypedCommand.Verb.allCases.map { ":\($0.rawValue)" } + names + repeats + codes
    }
}
