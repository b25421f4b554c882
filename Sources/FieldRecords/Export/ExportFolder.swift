import DocumentValues
import Foundation
import Glibc

/// The folder that an export fills. Its files are not sealed, so only its owner may read it.
package struct ExportFolder: Sendable {
    package let url: URL

    package init(path: String) {
        url = URL(fileURLWithPath: HomeFolder.expanding(path), isDirectory: true)
    }

    /// Makes the folder, which is marked as unfinished until ``finish()``.
    ///
    /// - Throws: `ExportError` if the folder has files: an export does not overwrite them, and tables of an earlier day
    ///   must not be mistaken for today's.
    package func make() throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) {
            guard isFolder.boolValue else {
                throw ExportError(folder: url.path, problem: "is a file", advice: "Name a folder")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
            guard names.isEmpty else {
                throw ExportError(folder: url.path, advice: UnfinishedExport.advice(onFolderWith: names))
            }
        } else {
            try Self.make(url)
        }
        try write(Array(UnfinishedExport.text.utf8), to: UnfinishedExport.fileName)
    }

    package func finish() throws { try remove(UnfinishedExport.fileName) }

    /// A file that gets its name when it is whole.
    func wholeFile(_ name: String) throws -> WholeFile { try WholeFile(url.appendingPathComponent(name)) }

    func write(_ bytes: [UInt8], to name: String) throws {
        try FieldFolder.writePrivately(bytes, to: url.appendingPathComponent(name))
    }

    /// An empty file with a name that may have folders in front.
    package func newFile(_ path: String) throws -> FileHandle {
        let file = url.appendingPathComponent(path)
        try Self.make(file.deletingLastPathComponent())
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: [NSFilePathErrorKey: file.path])
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(at: url.appendingPathComponent(path)) }

    private static func make(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}

/// Why nothing was exported.
public struct ExportError: UserFacingError, Sendable, Hashable {
    public let folder: String
    /// `is not empty`.
    public let problem: String
    /// What to do.
    public let advice: String

    init(folder: String, problem: String = "is not empty", advice: String) {
        self.folder = folder
        self.problem = problem
        self.advice = advice
    }

    public var description: String { "\(folder) \(problem). \(advice). Nothing was exported." }
}
