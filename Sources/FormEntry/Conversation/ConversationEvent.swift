import DocumentValues
import FormLogic

/// An input: from the person, or as the result of an action.
package enum ConversationEvent: Sendable {
    /// The form is on the screen now; the first event.
    case begun
    /// A typed line without its end; pasted lines have line feeds between them.
    case line(String)
    /// Ctrl-C, with the text that the line had.
    case interrupted(unfinished: String)
    /// There are no more lines.
    case ended
    /// The text from an editor; `nil` where it has none, or did not begin.
    case edited(String?)
    case attached(AnsweredFile)
    /// A file with points.
    case read(name: Name, bytes: [UInt8])
    case saved
    /// The record was finalised under this name.
    case finalised(name: String)
    /// The last action failed, for a reason that a person reads.
    case failed(String)
    /// The record was changed elsewhere since it was opened: this conversation cannot save it any more.
    case superseded(String)
}

/// A step for the caller, in the order of the list. One that has a result is the last; its event is the next.
package enum ConversationAction: Sendable {
    case show([ShownLine])
    /// The next event is a line, an interruption or the end.
    case ask(AskedLine)
    /// The state and the marks are to be on the disk: `.saved`, `.failed` or `.superseded`.
    case save
    /// `.edited` or `.failed`.
    case edit(String)
    /// `.attached` or `.failed`.
    case attach(path: String, to: Record.ID)
    /// `.read` or `.failed`.
    case read(path: String)
    /// Shows a file of the form, or one that is an answer. Has no result.
    case open(OpenedFile)
    /// `.finalised`, `.failed` or `.superseded`.
    case finalise(droppingSurplus: Bool)
    /// The last of all.
    case leave(Leaving)
}

package enum OpenedFile: Sendable {
    case media(Name)
    case answer(AnsweredFile)
}

package enum Leaving: Sendable, Hashable {
    case draft
    /// A new record without an answer of the person: it is on no disk.
    case untouched
    case finalised
    /// The last answers are on no disk; the person knows.
    case unsaved
}
