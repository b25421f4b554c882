import DocumentValues
import FieldModels
import FieldRecords
import Foundation

/// A photo as a file that is not sealed: one that the user keeps, or one that another program shows.
struct PhotoCopying {
    let session: ShellSession
    let photo: Photo
    let reference: RecordReference

    /// - Parameter target: a file that is not there yet, or the folder of one.
    func save(to target: String) throws -> Done {
        let file = try newFile(target)
        try session.field().photos.save(photo, of: reference.kind, id: reference.id, to: file)
        return Done("Saved \(file.path).", object: ["_id": .string(reference.id), "file": .string(file.path)])
    }

    private func newFile(_ target: String) throws(UsageError) -> URL {
        var file = URL(fileURLWithPath: HomeFolder.expanding(target))
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) {
            guard isFolder.boolValue else { throw UsageError("\(file.path) is there already; nothing was saved.") }
            file.appendPathComponent(photo.name.fileName)
            guard !FileManager.default.fileExists(atPath: file.path) else {
                throw UsageError("\(file.path) is there already; nothing was saved.")
            }
        }
        let folder = file.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw UsageError("There is no folder \(folder); nothing was saved.")
        }
        return file
    }

    /// The viewer gets a copy that is not sealed.
    func open() throws -> Done {
        guard PhotoViewer.shows(photo) else {
            throw UsageError(
                "\(photo.name) is no picture, and the program that opens it may do more than show it.",
                hint: "Save it instead: photo save")
        }
        let viewer = PhotoViewer(session.environment.variables)
        let folder = try session.photoCopies.makeFolder()
        let file = folder.appendingPathComponent(photo.name.fileName)
        do {
            try session.field().photos.save(photo, of: reference.kind, id: reference.id, to: file)
            try viewer.show(file)
        } catch {
            session.photoCopies.remove(folder)
            throw error
        }
        var object: JSONObject = ["_id": .string(reference.id)]
        guard !viewer.isWaitedFor else {
            session.photoCopies.remove(folder)
            return Done("Opened \(photo.name).", object: object)
        }
        object["file"] = .string(file.path)
        let end = session.isShell ? "until the shell ends" : "until fieldbook is used a minute later, or after that"
        return Done("Opened \(photo.name). An unencrypted copy is in \(folder.path) \(end).", object: object)
    }
}
