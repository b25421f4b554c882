import DocumentValues
import FormLogic

extension FormConversation {
    // MARK: Enter

    /// Keeps what there is; a required question is left by `:skip`.
    mutating func enter(at node: Record.ID) {
        if isNote(node) { return go(to: course.stop(after: .question(node))) }
        if record.answer(of: node) == nil, type(of: node) == .plain(.acknowledge) { return give("", at: node) }
        if record.answer(of: node) == nil, state.isRequired(node) {
            show(.refusal, text: requiredMessage(at: node))
            show(.info, plain: ":skip leaves it open.")
            return ask(at: .question(node))
        }
        if let missing = unranked(node) {
            show(.refusal, text: message(.unranked(missing), at: node))
            show(.info, plain: ":skip goes on.")
            return ask(at: .question(node))
        }
        go(to: course.stop(after: .question(node)))
    }

    /// The choice that the answer to a rank lacks, as it came to be offered behind that answer.
    mutating func unranked(_ node: Record.ID) -> Name? {
        guard case .select(.rank, _) = type(of: node), let answer = record.answer(of: node),
            case .unranked(let name)? = state.failure(of: answer, at: node)
        else { return nil }
        return name
    }

    func requiredMessage(at node: Record.ID) -> StyledText {
        let text = formNode(of: node).requiredMessage.map { styled($0, at: node) } ?? StyledText()
        return text.isEmpty ? "This question must be answered." : text
    }

    // MARK: Typed answers

    mutating func give(_ text: String, at node: Record.ID) {
        if isNote(node) {
            show(.info, plain: "This is a note: Enter goes on.")
            return ask(at: .question(node))
        }
        switch type(of: node) {
        case .plain(.text) where takesLines(node): write(text, behind: [], at: node)
        case .plain(.geotrace), .plain(.geoshape): draw(text, draft: TraceDraft(question(at: node)), at: node)
        default: take(TypedAnswerReader.read(text, for: question(at: node), in: context), of: text, at: node)
        }
    }

    private mutating func take(_ outcome: AnswerOutcome, of text: String, at node: Record.ID) {
        switch outcome {
        case .answer(let answer, let notes):
            for note in notes { show(.warning, plain: note.text) }
            accept(answer, typed: text, at: node)
        case .file(let path):
            stage = .attaching(node)
            act(.attach(path: path, to: node))
        case .cleared: record.answer(of: node) == nil ? leaveOpen(node) : clear(node)
        case .kept: enter(at: node)
        case .question(let clarification): clarify(clarification, at: node)
        case .refused(let refusal): refuse(refusal, typed: text, at: node)
        }
    }

    /// `none` of the choices, or `n` at a question to acknowledge.
    private mutating func leaveOpen(_ node: Record.ID) {
        guard type(of: node) == .plain(.acknowledge) else { return enter(at: node) }
        show(.info, plain: "Left open.")
        skip(.question(node))
    }

    private mutating func refuse(_ refusal: AnswerRefusal, typed: String, at node: Record.ID) {
        if case .select(let kind, _) = type(of: node), narrow(to: typed, kind: kind, at: node) { return }
        show(.refusal, plain: refusal.description)
        refused = typed
        ask(at: .question(node))
    }

    /// Lists those of many choices that fit.
    private mutating func narrow(to typed: String, kind: QuestionType.SelectKind, at node: Record.ID) -> Bool {
        let index = question(at: node).choices
        guard index.choices.count > ConversationLimits.listedChoices else { return false }
        let rows = index.narrowed(to: typed)
        guard !rows.isEmpty, rows.count < index.choices.count else { return false }
        showRows(Array(rows.prefix(ConversationLimits.listedChoices)), of: index, kind: kind, at: node)
        let more = rows.count - ConversationLimits.listedChoices
        show(.hint, plain: more > 0 ? "and \(more) more: type a longer part." : "Type a number.")
        ask(at: .question(node))
        return true
    }

    // MARK: Several meanings

    private mutating func clarify(_ clarification: Clarification, at node: Record.ID) {
        stage = .clarifying(node, clarification)
        for (index, meaning) in clarification.meanings.enumerated() where clarification.meanings.count > 2 {
            show(.choice, plain: "\(clarification.key(index)) \(meaning.text)")
        }
        var line = AskedLine()
        line.question = "\(clarification.question) \(clarification.keys)"
        act(.ask(line))
    }

    mutating func reply(_ line: String, to clarification: Clarification, at node: Record.ID) {
        switch clarification.reply(line.trimmingSpaces) {
        case .meaning(let meaning):
            if let order = meaning.remembered { dayOrder = order }
            accept(meaning.answer, typed: meaning.text, at: node)
        case .none: ask(at: .question(node))
        case .unknown:
            // A command is obeyed, and the typed answer is dropped.
            if case .command(let verb, let argument) = TypedCommand(line) {
                return obey(verb, argument: argument, at: .question(node))
            }
            show(.refusal, plain: clarification.advice)
            clarify(clarification, at: node)
        }
    }

    // MARK: Several lines

    mutating func write(_ line: String, behind written: [String], at node: Record.ID) {
        if line.trimmingSpaces.isExactly(".") { return keep(written, at: node, next: nil) }
        if line.utf8.first == UInt8(ascii: ":"), !written.isEmpty, case .command(let verb, _) = TypedCommand(line) {
            if verb == .edit { return edit(node, begun: written.joined(separator: "\n")) }
            show(
                .refusal,
                plain: "A line that holds only . ends the text first. A line that begins with a colon has two.")
            return askForMore(behind: written, at: node)
        }
        hold(written + [line.hasExactPrefix("::") ? String(line.dropFirst()) : line], at: node)
    }

    mutating func askForMore(behind written: [String], at node: Record.ID) {
        stage = .writing(node, lines: written)
        var asked = AskedLine()
        asked.input = .lines
        act(.ask(asked))
    }

    /// - Parameter next: where to go on; `nil`: with the next question.
    mutating func keep(_ written: [String], at node: Record.ID, next: FormStop?) {
        let text = written.joined(separator: "\n").trimmingSpaces
        guard !text.isEmpty else {
            if next == nil { return enter(at: node) }
            return ask(at: .question(node))
        }
        switch TypedAnswerReader.read(text, for: question(at: node), in: context) {
        case .answer(let answer, _): accept(answer, typed: text, at: node, next: next)
        case .refused(let refusal): refuse(refusal, typed: text, at: node)
        case .file, .cleared, .kept, .question: ask(at: .question(node))
        }
    }

    // MARK: Taking an answer

    /// - Parameter next: where to go on; `nil`: with the next question.
    mutating func accept(_ answer: Answer, typed: String, at node: Record.ID, next: FormStop? = nil) {
        if let reason = state.failure(of: answer, at: node) {
            showReports()
            return refuse(answer, because: reason, typed: typed, at: node)
        }
        let text = shown(answer, at: node)
        if !text.isExactly(typed.trimmingSpaces), !text.onOneLine.isEmpty, !takesLines(node) {
            show(.answer, plain: isSecret(node) ? "•••" : text)
        }
        store(answer, at: node, next: next)
    }

    private func isSecret(_ node: Record.ID) -> Bool { formNode(of: node).hasAppearance("masked") }

    mutating func clear(_ node: Record.ID) {
        guard record.answer(of: node) != nil else {
            if marks.begun.removeValue(forKey: node) != nil {
                show(.info, plain: "The text that was begun is dropped.")
                return save(then: .go(.question(node)))
            }
            show(.info, plain: "There is no answer to clear.")
            return ask(at: .question(node))
        }
        show(.info, plain: "Cleared.")
        store(nil, at: node, next: .question(node))
    }

    /// - Parameter next: where to go on; `nil`: with the next question.
    private mutating func store(_ answer: Answer?, at node: Record.ID, next: FormStop?) {
        let hadBegun = marks.begun.removeValue(forKey: node) != nil
        let (former, formerMarks) = (state, marks)
        marks.skipped.remove(node)
        let changes = state.answer(answer, at: node, now: now)
        guard !changes.isEmpty || marks != formerMarks else {
            showReports()
            let next = next ?? course.stop(after: .question(node))
            return hadBegun ? save(then: .go(next)) : go(to: next)
        }
        settle(changes, of: title(node), at: .question(node), former: former, formerMarks: formerMarks, cause: node)
        save(then: .go(next ?? course.stop(after: .question(node))))
    }

    /// Notes a change for `:undo`, and says what followed from it.
    ///
    /// - Parameter cause: the question that was answered.
    mutating func settle(
        _ changes: [FormChange], of title: String, at stop: FormStop, former: FormState, formerMarks: FormMarks,
        cause: Record.ID?
    ) {
        steps.append(Step(state: former, marks: formerMarks, stop: stop, title: title, changes: changes))
        if steps.count > ConversationLimits.steps { steps.removeFirst() }
        course = FormCourse(state)
        listed = []
        let notes = ChangeNotes(conversation: self, changes: changes, cause: cause)
        lines += notes.lines
        hiddenAnswers = notes.hiddenAnswers
        showReports()
    }

    // MARK: Refusals of the form

    private mutating func refuse(
        _ answer: Answer, because reason: AnswerFailure.Reason, typed: String, at node: Record.ID
    ) {
        refusals += 1
        refused = typed
        show(.refusal, text: message(reason, at: node))
        if reason == .constraint, refusals >= ConversationLimits.refusals { showRule(of: node, against: answer) }
        ask(at: .question(node))
    }

    func message(_ reason: AnswerFailure.Reason, at node: Record.ID) -> StyledText {
        let formNode = formNode(of: node)
        switch reason {
        case .required: return requiredMessage(at: node)
        case .type: return "This is no step of the scale."
        case .choice(let name): return StyledText("'\(choiceLabel(name, at: node))' is not offered here.")
        case .unranked(let name):
            return StyledText("'\(choiceLabel(name, at: node))' is not in the order: type all numbers, the best first.")
        case .constraint:
            let text = formNode.constraintMessage.map { styled($0, at: node) } ?? StyledText()
            return text.isEmpty
                ? StyledText("This answer is not allowed: \((formNode.constraint ?? "").onOneLine)") : text
        }
    }

    /// `rule: . > 0 and . <= 420, yours: 500`
    private mutating func showRule(of node: Record.ID, against answer: Answer) {
        guard let rule = formNode(of: node).constraint else { return }
        var evaluator = state.evaluator
        var text = rule.onOneLine
        for (reference, value) in evaluator.values(in: rule, owner: record[node].formNode, at: .record(node)) {
            text = text.replacing(reference, with: value.isEmpty ? "(no answer)" : value)
        }
        show(.info, plain: "rule: \(text), yours: \(answer.text.onOneLine)")
    }
}
