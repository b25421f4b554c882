import DocumentValues
import FieldRecords
import FormEntry
import FormLogic
import Foundation

/// A form that is tried: nothing of it is kept.
final class TrialKeeper: FormKeeping {
    let state: FormState
    let marks = FormMarks()
    let savedAt: Int64? = nil
    let isTrial = true
    /// Where the author's files are; `nil` for a form of the folder.
    private let folder: URL?
    private let viewer: PhotoViewer

    init(state: FormState, folder: URL?, viewer: PhotoViewer) {
        self.viewer = viewer
        self.state = state
        self.folder = folder
    }

    func save(_ state: FormState, marks: FormMarks) {}

    func attach(path: String, to node: Record.ID, in state: FormState) throws -> AnsweredFile {
        let file = URL(fileURLWithPath: HomeFolder.expanding(path))
        _ = try FileHandle(forReadingFrom: file)
        return AnsweredFile(name: Name(file.lastPathComponent))
    }

    func finalise(_ state: FormState, marks: FormMarks, droppingSurplus: Bool) throws -> String {
        var state = state
        return state.instanceName() ?? "no name"
    }

    func open(_ file: OpenedFile) throws -> String? {
        guard case .media(let name) = file, let folder else {
            throw UsageError("A form that is tried keeps no files.")
        }
        try viewer.show(folder.appendingPathComponent(name.text))
        return nil
    }
}
