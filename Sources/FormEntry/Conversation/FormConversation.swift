import DocumentValues
import FormLogic

/// The conversation about one form: events come in, actions go out. It has the record that is filled, and is a value: no
/// clock, no terminal, no disk.
package struct FormConversation: Sendable {
    /// What the next event is the result of.
    enum Stage: Sendable {
        case opening
        case asking(FormStop)
        /// The typed answer has several meanings.
        case clarifying(Record.ID, Clarification)
        /// Lines of a text, until one that holds only a full stop.
        case writing(Record.ID, lines: [String])
        case drawing(Record.ID, TraceDraft)
        case clarifyingPoint(Record.ID, TraceDraft, Clarification)
        case consenting(Consent)
        case saving(then: AfterSaving)
        case editing(Record.ID)
        case attaching(Record.ID)
        case reading(Record.ID, TraceDraft)
        case finalising
        case left
    }

    /// Asked before something is done that is not easily undone.
    enum Consent: Sendable {
        case drop(instance: Record.ID, back: FormStop)
        case dropSurplus(back: FormStop)
        /// A final record lacks the answers that are set aside.
        case leaveOut(droppingSurplus: Bool, back: FormStop)
        case leaveUnsaved(back: FormStop)
    }

    /// Whether the answers are on the disk.
    package enum Keeping: Sendable {
        /// A new record without an answer of the person is on no disk, and needs none.
        case saved
        /// The last answers are on no disk; the next saving may succeed.
        case unsaved
        /// The record was changed elsewhere: no saving succeeds any more.
        case superseded
        /// The form is only tried.
        case trial
    }

    enum AfterSaving: Sendable {
        case go(FormStop)
        /// The next line of a text.
        case write(Record.ID, lines: [String])
        /// The next point of a line.
        case draw(Record.ID, TraceDraft)
        case finalise(droppingSurplus: Bool)
        case leave
    }

    /// The state before an answer, for `:undo`.
    struct Step: Sendable {
        let state: FormState
        let marks: FormMarks
        let stop: FormStop
        /// The question, or the repeat, that was changed.
        @Exact private(set) var title: String
        let changes: [FormChange]
    }

    package let form: Form
    package internal(set) var state: FormState
    package internal(set) var marks: FormMarks
    package internal(set) var language: FormTextLanguage
    /// The last saving, in milliseconds since 1970; `nil` for a record that is on no disk.
    package internal(set) var savedAt: Int64?
    package internal(set) var keeping: Keeping

    var stage = Stage.opening
    let zone: any FormZone
    /// Milliseconds since 1970, of the present event.
    var now: Int64
    /// The stops as they are now.
    var course: FormCourse
    var steps: [Step] = []
    /// How the person reads ambiguous dates.
    var dayOrder: DayOrder?
    /// Refusals of the present question in a row.
    var refusals = 0
    /// The answer that was refused last, to be changed.
    @Exact var refused: String?
    /// The group whose heading was shown last.
    var page: FormPage?
    /// Questions as the last list on the screen numbered them; empty when they changed since.
    var listed: [Record.ID] = []
    var reported: Set<FormReport> = []
    /// Questions whose answers were set aside while they are not relevant, and named.
    var hiddenAnswers: Set<Record.ID> = []
    var actions: [ConversationAction] = []
    var lines: [ShownLine] = []
    /// The choices of the present question, made once for all lines typed at it.
    var asked: (node: Record.ID, question: AskedQuestion)?

    /// - Parameters:
    ///   - form: the one that the state's program is of, with its lists.
    ///   - savedAt: `nil` for a new record.
    ///   - isTrial: whether nothing is kept, whatever is answered.
    ///   - language: `nil` for that of the form.
    package init(
        form: Form, state: FormState, marks: FormMarks = FormMarks(), savedAt: Int64? = nil, isTrial: Bool = false,
        zone: any FormZone, now: Int64, language: Name? = nil
    ) {
        self.form = form
        self.state = state
        self.marks = marks
        self.savedAt = savedAt
        keeping = isTrial ? .trial : .saved
        self.zone = zone
        self.now = now
        self.language = FormTextLanguage(chosen: language ?? form.language, fallback: form.language)
        course = FormCourse(state)
    }

    /// Whether the last answers are on no disk, and should be.
    package var isUnsaved: Bool {
        switch keeping {
        case .saved, .trial: false
        case .unsaved, .superseded: true
        }
    }

    package var isOver: Bool {
        if case .left = stage { true } else { false }
    }

    /// - Parameter now: milliseconds since 1970.
    /// - Returns: the steps that follow; none behind the end.
    package mutating func take(_ event: ConversationEvent, now: Int64) -> [ConversationAction] {
        guard !isOver else { return [] }
        self.now = now
        actions = []
        lines = []
        handle(event)
        flush()
        return actions
    }

    private mutating func handle(_ event: ConversationEvent) {
        switch event {
        case .begun: begin()
        case .line(let line): take(line: line)
        case .interrupted(let unfinished): interrupt(unfinished)
        case .ended: endInput()
        case .saved: saved()
        case .failed(let reason): failed(reason)
        case .superseded(let reason): superseded(reason)
        case .edited(let text): edited(text)
        case .attached(let file): attached(file)
        case .read(let name, let bytes): read(name, bytes: bytes)
        case .finalised(let name): finalised(name)
        }
    }

    // MARK: Actions

    mutating func show(_ kind: ShownLine.Kind, plain text: String) { lines.append(ShownLine(kind, plain: text)) }

    mutating func show(_ kind: ShownLine.Kind, text: StyledText) { lines.append(ShownLine(kind, text: text)) }

    mutating func act(_ action: ConversationAction) {
        flush()
        actions.append(action)
    }

    private mutating func flush() {
        guard !lines.isEmpty else { return }
        actions.append(.show(lines))
        lines = []
    }

    /// A change is saved before anything else is done.
    mutating func save(then next: AfterSaving) {
        if case .saved = keeping { keeping = .unsaved }
        stage = .saving(then: next)
        act(.save)
    }

    mutating func leave(_ leaving: Leaving) {
        stage = .left
        act(.leave(leaving))
    }

    /// The stop at which the person is, also while something else is asked.
    var present: FormStop {
        switch stage {
        case .opening, .finalising, .left: .end
        case .asking(let stop): stop
        case .clarifying(let node, _), .writing(let node, _), .drawing(let node, _), .editing(let node),
            .clarifyingPoint(let node, _, _), .attaching(let node), .reading(let node, _):
            .question(node)
        case .consenting(let consent): consent.back
        case .saving(.go(let stop)): stop
        case .saving(.write(let node, _)), .saving(.draw(let node, _)): .question(node)
        case .saving: .end
        }
    }
}
