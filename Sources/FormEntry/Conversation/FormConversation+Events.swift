import DocumentValues
import FormLogic

extension FormConversation {
    // MARK: Beginning

    mutating func begin() {
        guard case .opening = stage else { return }
        showIgnoredAppearances()
        showReports()
        // A new record is on no disk before its first answer: one that is left at once would be a draft of defaults.
        go(to: savedAt == nil ? course.stops[0] : resumed())
    }

    /// The first required question without an answer that was not skipped; otherwise the one behind the last answer.
    private mutating func resumed() -> FormStop {
        let questions = course.questions
        if let begun = questions.first(where: { marks.begun[$0] != nil }) { return .question(begun) }
        var last: Int?
        for (index, node) in questions.enumerated() where !isNote(node) {
            if state.record.answer(of: node) != nil {
                if unranked(node) != nil { return .question(node) }
                last = index
            } else if isAsked(node), !marks.skipped.contains(node), state.isRequired(node) {
                return .question(node)
            }
        }
        let behind = questions[(last.map { $0 + 1 } ?? 0)...]
        return behind.first { isAsked($0) && !isNote($0) && !marks.skipped.contains($0) }.map { .question($0) } ?? .end
    }

    private static let ignored: Set<Name> = [
        "annotate", "draw", "signature", "new", "new-front", "front", "selfie", "maps", "placement-map", "no-calendar",
        "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "w10", "no-label", "ethiopian", "coptic", "islamic",
        "bikram-sambat", "myanmar", "persian", "buddhist",
    ]

    private mutating func showIgnoredAppearances() {
        var found: [Name] = []
        for entry in state.record.outline.entries {
            for part in entry.node.appearance.map({ Name($0.lowercased()) })
            where Self.ignored.contains(part) || part.hasPrefix("printer") {
                if !found.contains(part) { found.append(part) }
            }
        }
        guard !found.isEmpty else { return }
        let names = found.map(\.text).joined(separator: ", ")
        let subject = found.count == 1 ? "1 appearance has" : "\(found.count) appearances have"
        show(.info, plain: "\(subject) no meaning in a terminal: \(names)")
    }

    // MARK: Lines

    mutating func take(line: String) {
        switch stage {
        case .asking(let stop): take(line, at: stop)
        case .clarifying(let node, let clarification): reply(line, to: clarification, at: node)
        case .writing(let node, let written): write(line, behind: written, at: node)
        case .drawing(let node, let draft): draw(line, draft: draft, at: node)
        case .clarifyingPoint(let node, let draft, let clarification):
            reply(line, to: clarification, draft: draft, at: node)
        case .consenting(let consent): reply(line, to: consent)
        // A line is the result of asking only.
        case .opening, .saving, .editing, .attaching, .reading, .finalising, .left: break
        }
    }

    private mutating func take(_ line: String, at stop: FormStop) {
        let command = TypedCommand(line)
        switch (command, stop) {
        case (.command(let verb, let argument), _): obey(verb, argument: argument, at: stop)
        case (.unknown(let text, let near), _): refuse(text, near: near, at: stop)
        case (.enter, .question(let node)): enter(at: node)
        case (.answer(let text), .question(let node)): give(text, at: node)
        case (_, .another(let spot)): reply(line, about: spot)
        case (_, .end):
            show(.info, plain: Self.endHelp)
            ask(at: .end)
        }
    }

    private mutating func refuse(_ text: String, near: String?, at stop: FormStop) {
        let short = text.shortened(toScalars: EntryLimits.quoted).printableLine
        let meant = near.map { " Did you mean '\($0)'?" } ?? ""
        let colons = " A text that begins with a colon is typed with two of them."
        show(.refusal, plain: "'\(short)' is no command.\(meant)\(near == nil ? colons : "")")
        ask(at: stop)
    }

    // MARK: Ctrl-C, the end of the input

    /// The line that is being typed is lost, nothing else.
    mutating func interrupt(_ unfinished: String) {
        switch stage {
        case .asking(let stop):
            guard unfinished.trimmingSpaces.isEmpty else {
                show(.info, plain: "The line was dropped. Ctrl-C again, or :quit, leaves the draft.")
                return ask(at: stop)
            }
            quit()
        case .clarifying(let node, _): askAgain(at: .question(node))
        case .consenting(let consent): askAgain(at: consent.back)
        case .writing(let node, let written): keep(written, at: node, next: .question(node))
        case .drawing(let node, let draft), .clarifyingPoint(let node, let draft, _):
            finish(draft, at: node, next: .question(node))
        case .opening, .saving, .editing, .attaching, .reading, .finalising, .left: break
        }
    }

    mutating func endInput() {
        switch stage {
        case .writing(let node, let written):
            keep(written, at: node, next: .question(node))
        case .drawing(let node, let draft), .clarifyingPoint(let node, let draft, _):
            finish(draft, at: node, next: .question(node))
        case .consenting(.leaveUnsaved): return leave(.unsaved)
        case .opening, .asking, .clarifying, .consenting, .saving, .editing, .attaching, .reading, .finalising, .left:
            break
        }
        // The text's lines are being saved: there is nothing to ask behind that.
        if case .saving(.go) = stage { return stage = .saving(then: .leave) }
        dropAsking()
        quit()
    }

    /// Nothing can be asked any more.
    private mutating func dropAsking() {
        actions.removeAll { if case .ask = $0 { true } else { false } }
    }

    mutating func quit() {
        switch keeping {
        case .saved, .trial: leave(savedAt == nil ? .untouched : .draft)
        case .unsaved: save(then: .leave)
        case .superseded: consent(to: .leaveUnsaved(back: course.stops[0]))
        }
    }

    // MARK: Results

    mutating func saved() {
        guard case .saving(let next) = stage else { return }
        if case .trial = keeping {} else { (savedAt, keeping) = (now, .saved) }
        switch next {
        case .go(let stop): go(to: stop)
        case .write(let node, let lines): askForMore(behind: lines, at: node)
        case .draw(let node, let draft): draw(draft, at: node)
        case .finalise(let droppingSurplus): finalise(droppingSurplus: droppingSurplus)
        case .leave: leave(.draft)
        }
    }

    mutating func failed(_ reason: String) {
        switch stage {
        case .saving(let next): notSaved(reason, next: next)
        case .editing(let node), .attaching(let node):
            show(.refusal, plain: reason)
            ask(at: .question(node))
        case .reading(let node, let draft):
            show(.refusal, plain: reason)
            draw(draft, at: node)
        case .finalising:
            show(.refusal, plain: reason)
            ask(at: .end)
        case .opening, .asking, .clarifying, .writing, .drawing, .clarifyingPoint, .consenting, .left: break
        }
    }

    mutating func superseded(_ reason: String) {
        switch stage {
        case .saving(let next):
            keeping = .superseded
            notSaved(reason, next: next)
        case .finalising:
            keeping = .superseded
            notSaved(reason, next: .finalise(droppingSurplus: false))
        case .opening, .asking, .clarifying, .writing, .drawing, .clarifyingPoint, .consenting, .editing, .attaching,
            .reading, .left:
            break
        }
    }

    private static let retry = "Your answers are here as long as this shell is open; the next answer tries it again."
    private static let noRetry =
        "No answer can be saved from here any more: :all shows yours, :quit leaves without them."

    private mutating func notSaved(_ reason: String, next: AfterSaving) {
        show(.refusal, plain: "Not saved: \(reason)")
        let isSuperseded = if case .superseded = keeping { true } else { false }
        switch next {
        case .go(let stop):
            show(.info, plain: isSuperseded ? Self.noRetry : Self.retry)
            go(to: stop)
        case .write(let node, let lines): askForMore(behind: lines, at: node)
        case .draw(let node, let draft): draw(draft, at: node)
        case .finalise: go(to: .end)
        case .leave: consent(to: .leaveUnsaved(back: course.stops[0]))
        }
    }

    mutating func finalise(droppingSurplus: Bool) {
        stage = .finalising
        act(.finalise(droppingSurplus: droppingSurplus))
    }

    mutating func finalised(_ name: String) {
        guard case .finalising = stage else { return }
        // Of a kept record the caller says so, with its id.
        if case .trial = keeping { show(.info, plain: "It would be finalised as: \(name)") }
        leave(.finalised)
    }
}

extension FormConversation.Consent {
    var back: FormStop {
        switch self {
        case .drop(_, let stop), .dropSurplus(let stop), .leaveOut(_, let stop), .leaveUnsaved(let stop): stop
        }
    }
}
