import DocumentValues
import Foundation
import SQLiteStorage

/// The folder in which a backup is written until it is complete: `NAME.unfinished`. A lock in it identifies it, and keeps
/// two backups of one name apart.
enum UnfinishedBackup {
    private static let lockName = ".lock"

    /// Makes the folder, or takes over that of an interrupted backup, and empties it.
    static func begin(of folder: String) throws -> (path: String, lock: FileLock) {
        let path = folder + ".unfinished"
        let files = FileManager.default
        let present = try files.fileExists(atPath: path) ? files.contentsOfDirectory(atPath: path) : []
        guard present.isEmpty || present.contains(where: { $0.isExactly(lockName) }) else {
            throw ConfigurationError(
                path, problem: "is there already, and is not known as a backup that was interrupted",
                hint: "Move it away, or remove it")
        }
        try files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // Another backup may have ended at this moment, and renamed the folder.
        guard let lock = try lock(in: path), files.fileExists(atPath: "\(path)/\(lockName)") else {
            throw ConfigurationError(
                path, problem: "is being written by another backup", hint: "Wait for it, or name another folder")
        }
        for name in try files.contentsOfDirectory(atPath: path) where !name.isExactly(lockName) {
            try files.removeItem(atPath: "\(path)/\(name)")
        }
        return (path, lock)
    }

    private static func lock(in path: String) throws -> FileLock? {
        do { return try FileLock.take("\(path)/\(lockName)", mode: .exclusive) } catch {
            throw ConfigurationError("\(path)/\(lockName)", problem: "cannot be locked: \(error.reason)")
        }
    }

    /// Gives the folder its name.
    static func end(_ path: String, as folder: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(lockName)")
        try FileManager.default.moveItem(atPath: path, toPath: folder)
    }
}
