import DocumentValues
import FormLogic

extension FormConversation {
    mutating func obey(_ verb: TypedCommand.Verb, argument: String, at stop: FormStop) {
        switch verb {
        case .back: back(from: stop)
        case .next: next(from: stop)
        case .skip: skip(stop)
        case .go: go(named: argument, from: stop)
        case .all: showAll(at: stop)
        case .add: add(argument, at: stop)
        case .drop: drop(argument, at: stop)
        case .list: list(at: stop)
        case .undo: undo(at: stop)
        case .lang: speak(argument, at: stop)
        case .done: finish(at: stop)
        case .quit: quit()
        case .help: explain(at: stop)
        case .clear, .same, .why, .edit, .open, .note, .file:
            guard case .question(let node) = stop else {
                show(.refusal, plain: "':\(verb.rawValue)' is for a question: go to one with :go")
                return ask(at: stop)
            }
            obey(verb, argument: argument, of: node)
        }
    }

    private mutating func obey(_ verb: TypedCommand.Verb, argument: String, of node: Record.ID) {
        switch verb {
        case .clear: clear(node)
        case .same: same(node)
        case .why: explainRules(of: node)
        case .edit: edit(node, begun: nil)
        case .open: open(node, named: argument)
        case .note: note(argument, at: node)
        case .file: readPoints(argument, at: node)
        case .back, .next, .skip, .go, .all, .add, .drop, .list, .undo, .lang, .done, .quit, .help:
            ask(at: .question(node))
        }
    }

    // MARK: Moving

    /// The question before, also a repeat's about another instance.
    private mutating func back(from stop: FormStop) {
        var candidate = course.stop(before: stop)
        while let present = candidate {
            switch present {
            case .question(let node): if isAsked(node) { return go(to: present) }
            case .another: return go(to: present)
            case .end: break
            }
            candidate = course.stop(before: present)
        }
        show(.info, plain: "This is the first question.")
        ask(at: stop)
    }

    private mutating func next(from stop: FormStop) {
        switch stop {
        case .question(let node): enter(at: node)
        case .another: go(to: course.stop(after: stop))
        case .end:
            show(.info, plain: "This is the end. \(Self.endHelp)")
            ask(at: stop)
        }
    }

    /// The draft remembers the question as open.
    mutating func skip(_ stop: FormStop) {
        guard case .question(let node) = stop, !isNote(node), record.answer(of: node) == nil else {
            return go(to: course.stop(after: stop))
        }
        let isNew = marks.skipped.insert(node).inserted
        let next = course.stop(after: stop)
        if isNew { save(then: .go(next)) } else { go(to: next) }
    }

    // MARK: Undo, the last record

    private mutating func undo(at stop: FormStop) {
        guard let step = steps.popLast() else {
            show(.info, plain: "There is no answer to take back.")
            return ask(at: stop)
        }
        let (later, begun) = (state, marks.begun)
        state = step.state
        marks = step.marks
        course = FormCourse(state)
        marks.begun = begun.filter { course.numbers[$0.key] != nil }
        page = nil
        listed = []
        asked = nil
        show(.info, plain: "Taken back: \(step.title)" + (presentAnswer(at: step.stop).map { "; now \($0)" } ?? ""))
        for line in UndoNotes(conversation: self, step: step, later: later).lines { show(.info, plain: line) }
        save(then: .go(course.contains(step.stop) ? step.stop : course.stops[0]))
    }

    /// Of the question whose answer was taken back.
    private func presentAnswer(at stop: FormStop) -> String? {
        guard case .question(let node) = stop, course.contains(stop) else { return nil }
        return presentText(of: node) ?? "without an answer"
    }

    private mutating func same(_ node: Record.ID) {
        switch type(of: node) {
        case .plain(.image), .plain(.audio), .plain(.video), .plain(.file):
            show(.info, plain: "The last record's file is not taken over: it shows that visit.")
            return ask(at: .question(node))
        case .plain, .select: break
        }
        guard let answer = lastSaved(node) else {
            show(.info, plain: "The last record has no answer to this question.")
            return ask(at: .question(node))
        }
        accept(answer, typed: "", at: node)
    }

    /// The answer of the last saved record to the same question, in the instance with the same number.
    private func lastSaved(_ node: Record.ID) -> Answer? {
        let type = type(of: node)
        switch type {
        case .plain(.image), .plain(.audio), .plain(.video), .plain(.file), .plain(.note): return nil
        case .plain, .select: break
        }
        let steps = record.ancestry(of: node).map { id in
            let name = formNode(of: id).name.text
            return record[id].key == nil ? name : "\(name)[\(record[id].position)]"
        }
        let path = "instance('\(ReferenceResolver.lastSaved)')/" + steps.joined(separator: "/")
        var evaluator = state.evaluator
        guard let expression = try? evaluator.program.compile(path, owner: FormOutline.root) else { return nil }
        let value = evaluator.value(of: expression, at: .record(Record.root)).value
        return AnswerStoring(evaluator.state.conversions).answer(value, for: type).answer
    }

    // MARK: Languages, remarks

    private mutating func speak(_ code: String, at stop: FormStop) {
        let languages = form.languages
        guard !languages.isEmpty else {
            show(.info, plain: "The form has one language.")
            return ask(at: stop)
        }
        let folded = FoldedText.of(code)
        let found = languages.first { language in
            [language.code.text, language.name].contains { FoldedText.of($0).isExactly(folded) }
        }
        guard let found else {
            let all = languages.map { "\($0.code) \($0.name)" }.joined(separator: ", ")
            show(code.isEmpty ? .info : .refusal, plain: "The form has these languages: \(all)")
            return ask(at: stop)
        }
        language.chosen = found.code
        state.speak(language, lists: form.lists)
        go(to: stop, showingPage: true)
    }

    private mutating func note(_ text: String, at node: Record.ID) {
        guard !text.isEmpty else {
            show(
                .info, plain: marks.notes[node].map { "Your remark: \($0)" } ?? "A remark for the reviewer: :note TEXT")
            return ask(at: .question(node))
        }
        if text.isExactly("-") {
            marks.notes[node] = nil
            show(.info, plain: "The remark is taken away.")
        } else if text.unicodeScalars.count > ConversationLimits.note {
            show(.refusal, plain: "A remark has at most \(ConversationLimits.note) letters.")
            return ask(at: .question(node))
        } else {
            let former = marks.notes.updateValue(text, forKey: node)
            let short = former?.onOneLine.shortened(toScalars: ConversationLimits.answer)
            show(.info, plain: "Noted for the reviewer" + (short.map { ", in place of: \($0)" } ?? "."))
        }
        save(then: .go(.question(node)))
    }

    // MARK: Editor, files

    /// - Parameter begun: lines that were typed already.
    mutating func edit(_ node: Record.ID, begun: String?) {
        guard type(of: node) == .text, !formNode(of: node).hasAppearance("masked") else {
            show(.refusal, plain: "An editor is for texts.")
            return ask(at: .question(node))
        }
        refused = begun ?? refused
        let text = refused ?? record.answer(of: node)?.text ?? ""
        stage = .editing(node)
        act(.edit(text))
    }

    mutating func edited(_ text: String?) {
        guard case .editing(let node) = stage else { return }
        let typed = (text ?? "").trimmingSpaces
        guard !typed.isEmpty else {
            show(.info, plain: "The text is empty; the answer is as it was. To clear it: -")
            return ask(at: .question(node))
        }
        keep([typed], at: node, next: nil)
    }

    mutating func attached(_ file: AnsweredFile) {
        guard case .attaching(let node) = stage else { return }
        let content = file.blob?["content_type"]?.stringValue ?? ""
        // Nothing is known of most sounds and films, and an MPEG-4 file may be either.
        let others = ["image/", "text/", "application/pdf", "application/json"]
        if [.plain(.audio), .plain(.video)].contains(type(of: node)), others.contains(where: content.hasExactPrefix) {
            show(.warning, plain: "By its first bytes this is neither sound nor film (\(content.printableLine)).")
        }
        accept(.file(file), typed: "", at: node)
    }

    /// The answer; without one the media of the question, by name or the first.
    private mutating func open(_ node: Record.ID, named name: String) {
        if name.isEmpty, case .file(let file)? = record.answer(of: node) {
            act(.open(.answer(file)))
            return ask(at: .question(node))
        }
        let files = formNode(of: node).media.items.compactMap { language.pick($0.file)?.text }
        let file = name.isEmpty ? files.first : files.first { $0.isExactly(name) }
        if let file {
            act(.open(.media(Name(file))))
        } else if files.isEmpty {
            show(.refusal, plain: "There is no file to open here.")
        } else {
            show(.refusal, plain: "The question has these files: \(files.joined(separator: ", "))")
        }
        ask(at: .question(node))
    }
}
