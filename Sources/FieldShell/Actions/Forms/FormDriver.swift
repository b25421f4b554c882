import DocumentValues
import FieldForms
import FieldRecords
import FormEntry
import FormLogic
import Foundation

/// Leads a conversation about a form in a terminal: asks for lines, shows its lines, and carries out its actions.
struct FormDriver {
    let dialogue: any Dialogue
    let keeper: any FormKeeping
    /// Milliseconds since 1970.
    let now: () -> Int64

    private var texts: WrittenTexts { WrittenTexts(dialogue: dialogue) }

    /// The state between two events.
    private struct Course {
        var conversation: FormConversation
        /// Typed where a page was to be turned: the next line.
        var typed: String?
        /// A text of the editor that no record has yet.
        var written: WrittenText?
        var leaving: Leaving?
    }

    func run(_ conversation: FormConversation) throws -> (leaving: Leaving, conversation: FormConversation) {
        let completer = dialogue.completer
        defer { dialogue.completer = completer }
        var course = Course(conversation: conversation)
        var event = ConversationEvent.begun
        while true {
            var next: ConversationEvent?
            for action in course.conversation.take(event, now: now()) {
                next = try perform(action, in: &course) ?? next
            }
            if let leaving = course.leaving {
                texts.keep(course.written)
                return (leaving, course.conversation)
            }
            // Each action but the last has no result; one without any would be a conversation that neither asks nor ends.
            event = next ?? .ended
        }
    }

    /// - Returns: the result, where the action has one.
    private func perform(_ action: ConversationAction, in course: inout Course) throws -> ConversationEvent? {
        switch action {
        case .show(let lines): course.typed = try show(lines) ?? course.typed
        case .ask(let line): return ask(line, in: &course)
        case .save: return save(&course)
        case .edit(let text): return edit(text, in: &course)
        case .attach(let path, let node):
            return result {
                .attached(try keeper.attach(path: path, to: node, in: course.conversation.state))
            }
        case .read(let path): return result { try read(path) }
        case .open(let file): open(file)
        case .finalise(let droppingSurplus):
            let conversation = course.conversation
            return result {
                .finalised(
                    name: try keeper.finalise(
                        conversation.state, marks: conversation.marks, droppingSurplus: droppingSurplus))
            }
        case .leave(let leaving): course.leaving = leaving
        }
        return nil
    }

    private func result(_ body: () throws -> ConversationEvent) -> ConversationEvent {
        do { return try body() } catch {
            let reason = ErrorText.text(error, spelling: .shell)
            if case .changedElsewhere? = (error as? FormFillingError)?.cause { return .superseded(reason) }
            return .failed(reason)
        }
    }

    // MARK: Lines

    /// Page by page where there are more lines than the screen has.
    ///
    /// - Returns: a line that was typed where a page was to be turned.
    private func show(_ lines: [ShownLine]) throws -> String? {
        let layout = FormLayout(columns: dialogue.columns)
        let styled = lines.map { layout.styled($0) }
        let broken = styled.flatMap { $0.plain.printable.wrapped(to: dialogue.columns) }
        if let height = dialogue.screenHeight, broken.count >= height {
            let pager = Pager()
            let typed = try pager.show(Portions(broken), on: dialogue)
            // The question is the last of the lines: without it there would be a prompt that asks nothing.
            let question = lines.lastIndex { $0.kind == .question || $0.kind == .note }
            if typed == nil, pager.isCutShort, let question {
                show(styled[question...])
            }
            return typed
        }
        show(styled[...])
        return nil
    }

    private func show(_ styled: ArraySlice<StyledText>) {
        for text in styled {
            if let screen = dialogue as? any StyledScreen {
                screen.showStyled(text)
            } else {
                dialogue.show(text.plain.printable)
            }
        }
    }

    private func ask(_ line: AskedLine, in course: inout Course) -> ConversationEvent {
        if let typed = course.typed {
            course.typed = nil
            return .line(typed)
        }
        let prompt = FormLayout(columns: dialogue.columns).prompt(line)
        let commands = course.conversation.commands
        let reply: Reply
        switch line.input {
        case .masked: reply = dialogue.askSecret(prompt)
        case .path:
            dialogue.completer = Completer(filesAnd: commands)
            reply = dialogue.ask(prompt, recalling: line.refused)
        case .line, .lines:
            dialogue.completer = Completer(answers: line.completions, commands: commands)
            reply = dialogue.ask(prompt, recalling: line.refused)
        }
        switch reply {
        case .end: return .ended
        case .interrupted(let unfinished): return .interrupted(unfinished: unfinished)
        case .line(let text):
            return .line(line.input == .lines ? PastedLines.restored(text) : PastedLines.joined(text))
        }
    }

    // MARK: The record

    private func save(_ course: inout Course) -> ConversationEvent {
        let conversation = course.conversation
        let event = result {
            try keeper.save(conversation.state, marks: conversation.marks)
            return .saved
        }
        if case .saved = event, let written = course.written {
            dialogue.discard(written)
            course.written = nil
        }
        return event
    }

    // MARK: Texts, files

    private func edit(_ text: String, in course: inout Course) -> ConversationEvent {
        do throws(EditorError) {
            let edited = try dialogue.edit(text)
            if let former = course.written { dialogue.discard(former) }
            course.written = edited
            return .edited(edited.text)
        } catch {
            return .failed(error.description)
        }
    }

    private func read(_ path: String) throws -> ConversationEvent {
        let file = URL(fileURLWithPath: HomeFolder.expanding(path))
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        let data = try handle.read(upToCount: EntryLimits.pointFile + 1) ?? Data()
        guard data.count <= EntryLimits.pointFile else {
            throw UsageError("\(file.lastPathComponent) has more than \(EntryLimits.pointFile >> 20) MiB.")
        }
        return .read(name: Name(file.lastPathComponent), bytes: Array(data))
    }

    /// A failure is shown: it changes nothing in the conversation.
    private func open(_ file: OpenedFile) {
        do {
            if let note = try keeper.open(file) { dialogue.show("  " + note.printable) }
        } catch {
            dialogue.show("  " + ErrorText.text(error, spelling: .shell).printable)
        }
    }
}
