import DocumentValues
import FieldForms
import FormEntry
import FormLogic

/// Keeps a filled form as a record of the folder.
final class FormRecordKeeper: FormKeeping {
    private let session: FormSession

    init(_ session: FormSession) { self.session = session }

    var state: FormState { session.state }
    var marks: FormMarks { session.marks }
    var savedAt: Int64? { session.savedAt }

    func save(_ state: FormState, marks: FormMarks) throws { try session.save(state, marks: marks) }

    func attach(path: String, to node: Record.ID, in state: FormState) throws -> AnsweredFile {
        try session.attach(path: path, in: state)
    }

    func finalise(_ state: FormState, marks: FormMarks, droppingSurplus: Bool) throws -> String {
        switch try session.finalise(state, marks: marks, droppingSurplus: droppingSurplus) {
        case .done(let name): return name
        case .failures(let problems):
            throw UsageError("Not finalised. " + problems.map(\.line).joined(separator: "; "))
        }
    }

    func path(of file: AnsweredFile) throws -> String { try session.path(of: file) }

    func path(ofMedia name: Name) throws -> String { try session.path(ofMedia: name) }
}
