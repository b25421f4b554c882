import Crypto
import DocumentValues
import Foundation
import Glibc

/// One database in a backup: its file, and the values by which it is checked.
package struct BackupCopy: Sendable, Hashable {
    package let name: String
    /// Bytes of the file.
    package let size: Int64
    /// SHA-256 of the file, in hexadecimal.
    package let digest: String
    /// The last sequence in it.
    package let sequence: UInt64

    package init(name: String, size: Int64, digest: String, sequence: UInt64) {
        self.name = name
        self.size = size
        self.digest = digest
        self.sequence = sequence
    }

    /// The names of the databases in a storage folder.
    package static func names(storage path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter {
            DatabaseName.isValid($0)
                && FileManager.default.fileExists(atPath: "\(path)/\($0)/\(DatabaseParts.fileName)")
        }
    }

    /// Databases of a storage folder whose file is missing although their folder exists, empty or with other files of theirs:
    /// the disk is not mounted or has failed, a copy is incomplete, or the file was deleted by mistake.
    package static func lost(storage path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
            DatabaseName.isValid(name) && !DatabaseName.foreign.contains(Name(name))
                && hasLostItsFile("\(path)/\(name)")
        }
    }

    private static func hasLostItsFile(_ folder: String) -> Bool {
        let files = FileManager.default
        let others =
            ["-wal", "-shm", "-reserve"].map { DatabaseParts.fileName + $0 }
            + [RefusalRecord.fileName, SignInRecord.fileName]
        return !files.fileExists(atPath: "\(folder)/\(DatabaseParts.fileName)")
            && (isEmptyFolder(folder) || others.contains { files.fileExists(atPath: "\(folder)/\($0)") })
    }

    /// A file does not count, nor does a folder that this account cannot read: it belongs to another one.
    private static func isEmptyFolder(_ path: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true
    }

    /// Copies one state of a database, while a gateway may go on writing to it.
    ///
    /// - Parameter folder: is created; the file in it is readable by its owner only, and durable on return.
    package static func make(of name: String, storage path: String, in folder: String) throws -> BackupCopy {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let (source, target) = ("\(path)/\(name)/\(DatabaseParts.fileName)", "\(folder)/\(DatabaseParts.fileName)")
        do {
            try copy(source, to: target)
            return try BackupCopy(name: name, file: target)
        } catch {
            throw failure(error, copying: source)
        }
    }

    /// The error for a database that was not copied. For a row with an impossible length, SQLite reports a full disk.
    static func failure(_ error: any Error, copying file: String) -> any Error {
        if let failure = error as? StorageFailure {
            return failure.kind == .damaged
                ? BackupProblem.unreadable(failure.description) : unusable(failure, at: file)
        }
        guard StorageFailure.isFullDisk(error), let damage = damage(in: file) else { return error }
        return BackupProblem.unreadable(damage)
    }

    /// With the system's reason, which SQLite's message does not have.
    private static func unusable(_ failure: StorageFailure, at file: String) -> BackupProblem {
        let reason = access(file, R_OK) == 0 ? "" : ": " + String(cString: strerror(errno))
        return .unusable(failure.description + reason)
    }

    /// `nil` also if the damage cannot be determined: then the error of the copy is reported.
    private static func damage(in file: String) -> String? {
        do {
            guard case .damaged(let detail) = try StorageEngine.standard.file(file).examine(.structure).problem else {
                return nil
            }
            return detail
        } catch {
            return (error as? StorageFailure).flatMap { $0.kind == .damaged ? $0.description : nil }
        }
    }

    private static func copy(_ file: String, to target: String) throws {
        try StorageEngine.standard.file(file).copy(to: target)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: target))
        try handle.synchronize()
        try handle.close()
    }

    /// Checks that a file is an intact database of this version of the gateway, or of an earlier version that it can
    /// migrate.
    package init(name: String, file path: String) throws {
        let found = try StorageEngine.standard.file(path).examine(.everything)
        switch found.problem {
        case .damaged(let detail): throw BackupProblem.damaged(name, detail)
        case .newer: throw BackupProblem.newer(name)
        case nil: break
        }
        let (size, digest) = try Self.digest(of: path)
        self.init(name: name, size: size, digest: digest, sequence: found.sequence)
    }

    private static func digest(of path: String) throws -> (Int64, String) {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        var hash = SHA256()
        var size: Int64 = 0
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
            hash.update(data: piece)
            size += Int64(piece.count)
        }
        try handle.close()
        return (size, Hexadecimal.encode(hash.finalize()))
    }

    /// Copies the database from `folder` into a storage folder, beside the present databases, and checks it there.
    /// Databases in use are not touched.
    package func bring(from folder: String, to storage: String) throws {
        let files = FileManager.default
        let incoming = incoming(in: storage)
        try? files.removeItem(atPath: incoming)
        try files.createDirectory(
            atPath: incoming, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = "\(incoming)/\(DatabaseParts.fileName)"
        try files.copyItem(atPath: "\(folder)/\(DatabaseParts.fileName)", toPath: file)
        let brought: BackupCopy
        do { brought = try BackupCopy(name: name, file: file) } catch let error as StorageFailure {
            guard error.kind == .damaged else { throw Self.unusable(error, at: file) }
            throw BackupProblem.damaged(name, error.description)
        }
        guard brought == self else { throw BackupProblem.changed(name) }
        // Sessions that were ended since the backup would be valid again.
        do { try StorageEngine.standard.file(file).endSessions() } catch let error as StorageFailure {
            throw Self.unusable(error, at: file)
        }
        try RestoredMark(folder: incoming).set()
    }

    /// Removes the copy that `bring` has made, if another copy turned out to be damaged.
    package func leave(_ storage: String) { try? FileManager.default.removeItem(atPath: incoming(in: storage)) }

    /// Moves the copy to the path where the gateway finds it at its next start. The old database is moved to another
    /// name.
    ///
    /// - Parameter now: seconds since 1970, for the new name of the old database.
    /// - Returns: where the old database is now; `nil` if there was none.
    package func install(in storage: String, now: Int64) throws -> String? {
        let files = FileManager.default
        let path = "\(storage)/\(name)"
        var old: String?
        if files.fileExists(atPath: path) {
            let target = ReplacedDatabases(of: name, in: storage).unusedPath(now: now)
            try files.moveItem(atPath: path, toPath: target)
            old = target
        }
        do {
            try files.moveItem(atPath: incoming(in: storage), toPath: path)
        } catch {
            // Restores the old database, because there is none now; if this fails, too, the old one keeps the name with
            // the time.
            if let old { try files.moveItem(atPath: old, toPath: path) }
            throw error
        }
        FileOwner.hand(path, toOwnerOf: storage)
        return old
    }

    /// The folder of the database that was served last before this restoration: `old`, which `install` returned. If that was
    /// itself restored and never served, it is the newest of those that were replaced earlier, or `old` if none of them is
    /// left.
    package func lastServed(before old: String, in storage: String) throws -> String {
        guard RestoredMark(folder: old).isThere else { return old }
        return try ReplacedDatabases(of: name, in: storage).lastServed() ?? old
    }

    private func incoming(in storage: String) -> String { "\(storage)/\(Self.incomingPrefix)\(name)" }

    private static let incomingPrefix = ".incoming-"

    /// Removes the copies of restorations that were killed: whole databases that will not be used. No restoration may
    /// be running.
    ///
    /// - Returns: the removed paths.
    package static func removeUnfinished(storage path: String) throws -> [String] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: path).sorted().filter(isIncoming).map { name in
            try files.removeItem(atPath: "\(path)/\(name)")
            return "\(path)/\(name)"
        }
    }

    private static func isIncoming(_ name: String) -> Bool {
        guard name.hasExactPrefix(incomingPrefix) else { return false }
        return String(name.utf8.dropFirst(incomingPrefix.utf8.count)).map(DatabaseName.isValid) ?? false
    }
}

/// Why a backup cannot be trusted.
package enum BackupProblem: Error, Sendable, Hashable, CustomStringConvertible {
    case damaged(String, String)
    case changed(String)
    case newer(String)
    case noDatabaseName(String)
    /// The database to be copied cannot be read.
    case unreadable(String)
    /// It cannot be copied, although it may be intact.
    case unusable(String)

    package var description: String {
        switch self {
        case .damaged(let name, let detail): "the copy of database '\(name)' is damaged: \(detail)"
        case .unreadable(let detail): "its file is damaged (\(detail))"
        case .unusable(let detail): "its file cannot be used (\(detail)); check who owns it"
        case .changed(let name): "the copy of database '\(name)' is not the one that was made: its checksum differs"
        case .newer(let name):
            "database '\(name)' was opened by a newer version of the gateway. Use that version, or an older backup"
        case .noDatabaseName(let name):
            "the backup names a database '\(name)', which is no database's name: it was not made by a gateway"
        }
    }
}
