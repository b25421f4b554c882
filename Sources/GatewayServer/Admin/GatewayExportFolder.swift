import DocumentValues
import Foundation
import Glibc

/// The folder that an export fills: a new or an empty one, so that no files are overwritten or mixed with those of an
/// earlier export. Only its owner may read the files.
struct GatewayExportFolder {
    let url: URL

    /// Makes the folder, which is marked as unfinished until `finish()`.
    func make() throws(AdminError) {
        if FileManager.default.fileExists(atPath: url.path) {
            let names: [String]
            do { names = try FileManager.default.contentsOfDirectory(atPath: url.path) } catch {
                throw AdminError(.file, problem: "\(url.path) cannot be read: \(error.localizedDescription)")
            }
            guard names.isEmpty else {
                throw AdminError(
                    .file, problem: "\(url.path) is not empty",
                    hint: "\(UnfinishedExport.advice(onFolderWith: names)). Nothing was exported")
            }
        } else {
            try Self.make(url)
        }
        let mark = try Self.newFile(mark)
        do {
            try mark.write(contentsOf: Data(UnfinishedExport.text.utf8))
            try mark.close()
        } catch {
            throw AdminError(.file, problem: "\(url.path) cannot be written: \(error.localizedDescription)")
        }
    }

    private var mark: URL { url.appendingPathComponent(UnfinishedExport.fileName) }

    func finish() throws(AdminError) {
        do { try FileManager.default.removeItem(at: mark) } catch {
            throw AdminError(
                .file, problem: "\(UnfinishedExport.fileName) cannot be removed: \(error.localizedDescription)",
                hint: "The export is complete all the same")
        }
    }

    static func make(_ folder: URL) throws(AdminError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw AdminError(.file, problem: "\(folder.path) cannot be made: \(error.localizedDescription)") }
    }

    /// A new, empty file; never an existing one.
    static func newFile(_ file: URL) throws(AdminError) -> FileHandle {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw AdminError(.file, problem: "\(file.path) cannot be written: \(String(cString: strerror(errno)))")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}
