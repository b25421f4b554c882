import DocumentValues
import FormEntry
import FormLogic

/// Keeps the record that a conversation fills.
protocol FormKeeping: AnyObject {
    /// The state with which the conversation begins.
    var state: FormState { get }
    var marks: FormMarks { get }
    /// The last saving, in milliseconds since 1970; `nil` for a new record.
    var savedAt: Int64? { get }
    /// Whether nothing is kept.
    var isTrial: Bool { get }

    /// The answers and marks are on the disk when it returns.
    func save(_ state: FormState, marks: FormMarks) throws

    /// Takes a file in as an answer.
    ///
    /// - Parameter path: as it was typed, without quotation marks.
    func attach(path: String, to node: Record.ID, in state: FormState) throws -> AnsweredFile

    /// Finishes the record.
    ///
    /// - Returns: its name.
    func finalise(_ state: FormState, marks: FormMarks, droppingSurplus: Bool) throws -> String

    /// Shows an answer that is a file, or a file of the form.
    ///
    /// - Returns: a note for the person, such as where the copy is.
    func open(_ file: OpenedFile) throws -> String?
}
