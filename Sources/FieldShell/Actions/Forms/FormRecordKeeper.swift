import DocumentValues
import FieldForms
import FieldModels
import FieldRecords
import FormEntry
import FormLogic

/// Keeps a filled form as a record of the folder.
final class FormRecordKeeper: FormKeeping {
    private let session: FormSession
    private let shell: ShellSession

    init(_ session: FormSession, of shell: ShellSession) {
        self.session = session
        self.shell = shell
    }

    var state: FormState { session.state }
    var marks: FormMarks { session.marks }
    var savedAt: Int64? { session.savedAt }
    let isTrial = false

    func save(_ state: FormState, marks: FormMarks) throws { try session.save(state, marks: marks) }

    func attach(path: String, to node: Record.ID, in state: FormState) throws -> AnsweredFile {
        let type = state.record.outline[state.record[node].formNode].type
        return try session.attach(path: path, for: type, in: state)
    }

    func finalise(_ state: FormState, marks: FormMarks, droppingSurplus: Bool) throws -> String {
        switch try session.finalise(state, marks: marks, droppingSurplus: droppingSurplus) {
        case .done(let name): return name
        case .failures(let problems):
            throw UsageError("Not finalised. " + problems.map(\.line).joined(separator: "; "))
        }
    }

    func open(_ file: OpenedFile) throws -> String? {
        switch file {
        case .answer(let file): return try open(file)
        case .media(let name):
            guard let file = session.loaded.form.files.first(where: { $0.name == name }),
                let bytes = try FormLibrary(in: shell.field()).content(of: file)
            else { throw UsageError("The file \(name.text.printableLine) is not here yet.", hint: "Get it with: sync") }
            return try FormMediaCopy(session: shell).open(bytes, name: name)
        }
    }

    private func open(_ file: AnsweredFile) throws -> String? {
        guard let blob = file.blob?.objectValue.flatMap({ BlobMetadata($0) }) else {
            throw UsageError("The file \(file.name.text.printableLine) is not here.")
        }
        let photo = Photo(name: file.name.text, blob: blob)
        let reference = RecordReference(.response, id: session.response.id)
        return try PhotoCopying(session: shell, photo: photo, reference: reference).open().text
    }
}
