import DocumentValues
import FormLogic

/// Lines of points.
extension FormConversation {
    /// Asks for the next point of a line.
    mutating func draw(_ draft: TraceDraft, at node: Record.ID) {
        stage = .drawing(node, draft)
        var line = AskedLine()
        line.question = "point \(draft.count + 1), empty line ends"
        act(.ask(line))
    }

    /// An empty line ends, `<` takes the last point back.
    mutating func draw(_ line: String, draft: TraceDraft, at node: Record.ID) {
        var draft = draft
        switch TypedCommand(line) {
        case .enter: finish(draft, at: node, next: nil)
        case .command(.back, _):
            draft.removeLast()
            hold(draft, at: node)
        case .command(.file, let path): readPoints(path, draft: draft, at: node)
        case .command(let verb, let argument):
            // The points are dropped only after the question is left by a command that leads away.
            guard draft.count == 0 else {
                show(.refusal, plain: "An empty line ends the points first, < takes the last one back.")
                return draw(draft, at: node)
            }
            obey(verb, argument: argument, at: .question(node))
        case .unknown(let text, _):
            show(.refusal, plain: "'\(text.shortened(toScalars: EntryLimits.quoted).printableLine)' is no command.")
            draw(draft, at: node)
        case .answer(let text):
            switch draft.add(text, in: context) {
            case .question(let clarification): return clarify(clarification, draft: draft, at: node)
            case .refused(let refusal): show(.refusal, plain: refusal.description)
            case .answer(_, let notes):
                for note in notes { show(.warning, plain: note.text) }
            case .file, .cleared, .kept: break
            }
            hold(draft, at: node)
        }
    }

    private mutating func clarify(_ clarification: Clarification, draft: TraceDraft, at node: Record.ID) {
        stage = .clarifyingPoint(node, draft, clarification)
        var line = AskedLine()
        line.question = "\(clarification.question) \(clarification.keys)"
        act(.ask(line))
    }

    mutating func reply(_ line: String, to clarification: Clarification, draft: TraceDraft, at node: Record.ID) {
        var draft = draft
        switch clarification.reply(line.trimmingSpaces) {
        case .meaning(let meaning):
            if case .point(let point) = meaning.answer { draft.add([point]) }
            hold(draft, at: node)
        case .none: draw(draft, at: node)
        case .unknown:
            // A command is obeyed, and the typed point is dropped.
            if case .command = TypedCommand(line) { return draw(line, draft: draft, at: node) }
            show(.refusal, plain: clarification.advice)
            clarify(clarification, draft: draft, at: node)
        }
    }

    /// - Parameter next: where to go on; `nil`: with the next question.
    mutating func finish(_ draft: TraceDraft, at node: Record.ID, next: FormStop?) {
        guard draft.count > 0 else {
            if next == nil { return enter(at: node) }
            return ask(at: .question(node))
        }
        switch draft.outcome {
        case .answer(let answer, let notes):
            for note in notes { show(.warning, plain: note.text) }
            accept(answer, typed: "", at: node, next: next)
        case .refused(let refusal):
            show(.refusal, plain: refusal.description)
            draw(draft, at: node)
        case .file, .cleared, .kept, .question: ask(at: .question(node))
        }
    }

    // MARK: Files

    mutating func readPoints(_ path: String, at node: Record.ID) {
        switch type(of: node) {
        case .plain(.geotrace), .plain(.geoshape): readPoints(path, draft: TraceDraft(question(at: node)), at: node)
        default:
            show(.refusal, plain: "':file' reads a line of points; this question has none.")
            ask(at: .question(node))
        }
    }

    private mutating func readPoints(_ path: String, draft: TraceDraft, at node: Record.ID) {
        guard !path.isEmpty else {
            show(.refusal, plain: "Which file? :file PATH reads GPX, KML, GeoJSON, or lines of latitude and longitude.")
            return draw(draft, at: node)
        }
        stage = .reading(node, draft)
        act(.read(path: path))
    }

    mutating func read(_ name: Name, bytes: [UInt8]) {
        guard case .reading(let node, let draft) = stage else { return }
        switch PointFile.read(bytes, name: name) {
        case .success(let points):
            var draft = draft
            draft.add(points)
            show(
                .info,
                plain: "\(points.count == 1 ? "1 point" : "\(points.count) points") from \(name.text.printableLine)")
            hold(draft, at: node)
        case .failure(let refusal):
            show(.refusal, plain: refusal.description)
            draw(draft, at: node)
        }
    }
}
