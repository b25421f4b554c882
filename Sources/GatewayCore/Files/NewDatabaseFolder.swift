import Foundation

/// The folder of a database that is being made.
///
/// A file in it marks it until the database is complete. So the remains of an interrupted creation are recognised, and
/// nothing else is ever erased: the storage folder may contain other folders.
struct NewDatabaseFolder {
    private static let markName = ".unfinished"

    let path: String

    init(_ path: String) { self.path = path }

    private var mark: String { path + "/" + Self.markName }

    /// Such a folder was never a database.
    var isUnfinished: Bool { FileManager.default.fileExists(atPath: mark) }

    /// Makes the folder; erases the remains of an interrupted creation. 409 for any other existing folder.
    func begin() throws {
        let files = FileManager.default
        if isUnfinished { try files.removeItem(atPath: path) }
        if files.fileExists(atPath: path), try !isEmptyFolder {
            throw GatewayError.takenFolder((path as NSString).lastPathComponent)
        }
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard files.createFile(atPath: mark, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw GatewayError.unwritableDatabaseFolder
        }
    }

    /// Call it when the database is complete.
    func finish() throws { try FileManager.default.removeItem(atPath: mark) }

    private var isEmptyFolder: Bool {
        get throws {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
                return false
            }
            return try FileManager.default.contentsOfDirectory(atPath: path).isEmpty
        }
    }
}
