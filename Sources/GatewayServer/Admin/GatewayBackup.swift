import DocumentValues
import Foundation
import GatewayCore
import Glibc
import SQLiteStorage

/// A folder with copies of all databases and the administrators' password hashes.
///
/// The manifest is written last and the folder gets its name when all is there, so that an incomplete backup never
/// looks like a complete one.
package struct GatewayBackup: Sendable {
    private static let manifestName = "manifest.json"
    private static let format: Int64 = 1

    package let folder: String

    /// - Parameter folder: may end with a slash, as shells complete it.
    package init(folder: String) {
        let bytes = folder.utf8.reversed().drop { $0 == UInt8(ascii: "/") }.reversed()
        self.folder = bytes.isEmpty ? folder : String(decoding: bytes, as: UTF8.self)
    }

    /// Copies while the gateway runs, or does not.
    ///
    /// - Parameter names: databases; `nil` for all.
    package func make(of configuration: GatewayConfiguration, only names: [String]? = nil) throws -> [BackupCopy] {
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw ConfigurationError(folder, problem: "is there already", hint: "Name a folder that does not exist yet")
        }
        let storage = configuration.storagePath
        let names = try names.map { try Self.check($0, in: storage) } ?? Self.all(in: storage)
        try Self.checkAdministrators(ofStorage: storage)
        let unfinished: String
        let lock: FileLock
        do { (unfinished, lock) = try UnfinishedBackup.begin(of: folder) } catch { throw problem(error) }
        defer { lock.release() }
        do {
            let copies = try write(names, of: storage, to: unfinished)
            try UnfinishedBackup.end(unfinished, as: folder)
            return copies
        } catch {
            // The remains would take the room that the next backup needs. If they cannot be removed, the first error
            // shows why.
            try? FileManager.default.removeItem(atPath: unfinished)
            throw problem(error)
        }
    }

    /// A backup without one of the databases would, night after night, replace backups that have it.
    private static func all(in storage: String) throws -> [String] {
        if let lost = try BackupCopy.lost(storage: storage).first {
            throw ConfigurationError(
                "\(storage)/\(lost)", problem: "has lost its database file",
                hint: "Mount its disk, restore it from a backup, or move the folder away; back up the others with "
                    + "--database")
        }
        let names = try BackupCopy.names(storage: storage)
        guard !names.isEmpty else {
            throw ConfigurationError(
                storage, problem: "has no database to be backed up",
                hint: "Is its disk mounted, and is it the storage that the gateway itself uses?")
        }
        return names
    }

    /// A backup with a damaged file would, night after night, replace backups with an intact one, and could not be restored
    /// at all.
    private static func checkAdministrators(ofStorage storage: String) throws {
        do { _ = try Administrators.names(storage: storage) } catch {
            throw ConfigurationError(
                "\(storage)/\(Administrators.fileName)", problem: "cannot be read, so nothing is backed up",
                hint:
                    "Take it from the last backup, or move it away and make new passwords with 'fieldbook-gateway password'"
            )
        }
    }

    private static func check(_ names: [String], in storage: String) throws -> [String] {
        let known = try BackupCopy.names(storage: storage)
        if let unknown = names.first(where: { !known.containsExactly($0) }) {
            throw ConfigurationError(
                storage, problem: "has no database '\(unknown)'", hint: "It has: \(known.joined(separator: ", "))")
        }
        // A database that is named twice is copied once.
        var seen: Set<Name> = []
        return names.filter { seen.insert(Name($0)).inserted }
    }

    private func write(
        _ names: [String], of storage: String, to unfinished: String
    ) throws -> [BackupCopy] {
        let copies = try names.map { name in
            do {
                return try BackupCopy.make(of: name, storage: storage, in: "\(unfinished)/\(name)")
            } catch let error as BackupProblem {
                throw ConfigurationError(
                    "\(storage)/\(name)", problem: "cannot be copied, so nothing is backed up: \(error)",
                    hint: "Restore it from a backup, or move the folder away; back up the others with --database")
            }
        }
        try FileManager.default.createDirectory(
            atPath: unfinished, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let administrators = "\(storage)/\(Administrators.fileName)"
        if FileManager.default.fileExists(atPath: administrators) {
            try FileManager.default.copyItem(
                atPath: administrators, toPath: "\(unfinished)/\(Administrators.fileName)")
        }
        let manifest = Self.manifest(copies).bytes
        try Data(manifest).write(to: URL(fileURLWithPath: "\(unfinished)/\(Self.manifestName)"), options: .atomic)
        return copies
    }

    private func isFull(_ error: any Error) -> Bool {
        GatewayError(error) == .diskFull || SystemFailure(error).map { [ENOSPC, EDQUOT].contains($0.code) } ?? false
    }

    /// Names the file and the system's reason, if it is a failure of the system.
    func problem(_ error: any Error) -> any Error {
        if isFull(error) {
            return ConfigurationError(
                folder,
                problem: "there is no room for the backup on the disk (\(Self.shortage(error))); its first part is "
                    + "removed",
                hint: "Make room, or name a folder on another disk")
        }
        guard let failure = SystemFailure(error) else { return error }
        return ConfigurationError(
            failure.path ?? folder, problem: "\(failure.reason), so nothing is backed up",
            hint: "Check the account and the permissions, or name another folder")
    }

    /// The system's text for a full disk or a used-up quota, with the file where it is known.
    private static func shortage(_ error: any Error) -> String {
        "\(SystemFailure(error) ?? SystemFailure(path: nil, code: ENOSPC))"
    }

    /// The result of restoring one database.
    package struct Restored: Sendable, Hashable {
        package let copy: BackupCopy
        /// The path of the database that was there before.
        package let old: String?
        /// The path of the database that was served last: `old`, or one that was replaced earlier if `old` itself was
        /// restored and never served. `nil` if there is no `old`, or if that cannot be found out.
        package var served: String?
        /// The differences of its users from those of that database: see `UserDifference`. `nil` if that cannot be
        /// read.
        package var users: [String]? = []
    }

    /// Restores databases; no gateway may run on the storage at the same time.
    ///
    /// - Parameter names: `nil` for all.
    package func restore(
        _ names: [String]?, to configuration: GatewayConfiguration, replacing: Bool
    ) throws -> [Restored] {
        let storage = configuration.storagePath
        guard FileManager.default.fileExists(atPath: folder) else {
            throw ConfigurationError(folder, problem: "is not there", hint: "Name the folder of a backup")
        }
        do { try FileOwner.makeFolder(storage) } catch { throw restoreProblem(error, storage: storage) }
        let lock = try FileLock.take(storage: storage)
        defer { lock.release() }
        let copies = try chosen(names)
        try checkAdministrators()
        if !replacing,
            let name = copies.map(\.name).first(where: { FileManager.default.fileExists(atPath: "\(storage)/\($0)") })
        {
            throw ConfigurationError(
                storage, problem: "has a database '\(name)' already", hint: "Give --replace to move it out of the way")
        }
        let now = Int64(Date().timeIntervalSince1970)
        let administrators: String?
        do {
            for copy in copies { try copy.bring(from: "\(folder)/\(copy.name)", to: storage) }
            administrators = try bringAdministrators(to: storage)
        } catch {
            for copy in copies { copy.leave(storage) }
            throw restoreProblem(error, storage: storage)
        }
        return try install(copies, with: administrators, in: storage, now: now)
    }

    /// It is the storage's disk that is full, whichever file was being copied. Of another failure of the system the error has
    /// the file and the reason.
    func restoreProblem(_ error: any Error, storage: String) -> any Error {
        if isFull(error) {
            return ConfigurationError(
                storage,
                problem: "there is no room on its disk for the restored files (\(Self.shortage(error))), and nothing "
                    + "was replaced",
                hint: "Make room there")
        }
        guard let failure = SystemFailure(error) else { return error }
        return ConfigurationError(
            failure.path ?? storage, problem: "\(failure.reason), and nothing was replaced",
            hint: "Check the account and the permissions of the backup and of the storage")
    }

    /// Checked before any file is replaced.
    private func checkAdministrators() throws {
        do { _ = try Administrators.names(storage: folder) } catch {
            throw ConfigurationError(
                "\(folder)/\(Administrators.fileName)", problem: "cannot be read, so nothing was restored",
                hint:
                    "Move it out of the backup, restore again, and look at 'fieldbook-gateway administrators list': add a "
                    + "missing one with 'fieldbook-gateway password --new NAME'")
        }
    }

    /// One after the other: if one fails, those before it are restored, and the error says so.
    ///
    /// - Parameter administrators: the file that was made with the copies, which goes again if none can be restored.
    private func install(
        _ copies: [BackupCopy], with administrators: String?, in storage: String, now: Int64
    ) throws -> [Restored] {
        var restored: [Restored] = []
        for (index, copy) in copies.enumerated() {
            do {
                restored.append(Restored(copy: copy, old: try copy.install(in: storage, now: now), in: storage))
            } catch {
                for copy in copies[index...] { copy.leave(storage) }
                guard !restored.isEmpty else {
                    if let administrators { unlink(administrators) }
                    throw restoreProblem(error, storage: storage)
                }
                let done = restored.map { $0.copy.name + ($0.old.map { " (the old one is \($0))" } ?? "") }
                let left = copies[index...].map(\.name).joined(separator: ", ")
                throw ConfigurationError(
                    "\(storage)/\(copy.name)",
                    problem: "cannot be replaced: \(Self.reason(of: error)). "
                        + "Restored: \(done.joined(separator: ", ")). Not restored: \(left)",
                    hint: "Solve that, then restore the others: --database \(copies[index].name)")
            }
        }
        return restored
    }

    private static func reason(of error: any Error) -> String {
        SystemFailure(error).map { "\($0)" } ?? "\(GatewayError(error))"
    }

    /// Existing administrators are kept, because they are newer. Nothing is left of a file that cannot be written whole.
    ///
    /// - Returns: the file that was made; `nil` if there is none to be made.
    private func bringAdministrators(to storage: String) throws -> String? {
        let target = "\(storage)/\(Administrators.fileName)"
        guard !FileManager.default.fileExists(atPath: target),
            let content = try FileContent.bytes("\(folder)/\(Administrators.fileName)")
        else { return nil }
        try NewFile.write(content, to: target, mode: 0o600)
        FileOwner.hand(target, toOwnerOf: storage)
        return target
    }

    /// Administrators of the backup who are not in the storage. The storage's own are kept, because they are newer, as
    /// after `init`.
    package func administratorsLeftOut(of configuration: GatewayConfiguration) throws -> [String] {
        let present = try Administrators.names(storage: configuration.storagePath)
        return try Administrators.names(storage: folder).filter { !present.containsExactly($0) }
    }

    private func chosen(_ names: [String]?) throws -> [BackupCopy] {
        let all = try manifest()
        guard let names else { return all }
        // A database that is named twice is restored once.
        var seen: Set<Name> = []
        return try names.filter { seen.insert(Name($0)).inserted }.map { name in
            guard let copy = all.first(where: { $0.name.isExactly(name) }) else {
                throw ConfigurationError(
                    folder, problem: "has no database '\(name)'",
                    hint: "It has: \(all.map(\.name).joined(separator: ", "))")
            }
            return copy
        }
    }

    // MARK: - Manifest

    private static func manifest(_ copies: [BackupCopy]) -> JSONObject {
        var databases = JSONObject()
        for copy in copies {
            databases[copy.name] = [
                "size": .int(copy.size), "sha256": .string(copy.digest), "sequence": .number(JSONNumber(copy.sequence)),
            ]
        }
        return [
            "format": .int(format), "gateway": .string(GatewayIdentity.version), "made": .string(LogTime.now()),
            "databases": .object(databases),
        ]
    }

    private func manifest() throws -> [BackupCopy] {
        let path = "\(folder)/\(Self.manifestName)"
        let content: [UInt8]?
        do throws(FileContent.Failure) { content = try FileContent.bytes(path) } catch {
            throw ConfigurationError(path, problem: error.problem, hint: "Check the account and the permissions")
        }
        guard let content, let object = try? JSONObject(parsing: content),
            object["format"]?.integerValue == Self.format
        else {
            throw ConfigurationError(
                folder, problem: "is no backup of this gateway", hint: "It needs a \(Self.manifestName)")
        }
        return try (object["databases"]?.objectValue ?? [:]).map { member in
            guard DatabaseName.isValid(member.key) else { throw BackupProblem.noDatabaseName(member.key) }
            return BackupCopy(
                name: member.key, size: member.value["size"]?.integerValue ?? 0,
                digest: member.value["sha256"]?.stringValue ?? "",
                sequence: member.value["sequence"]?.numberValue?.uint64 ?? 0)
        }
    }
}

extension GatewayBackup.Restored {
    fileprivate init(copy: BackupCopy, old: String?, in storage: String) {
        self.init(copy: copy, old: old)
        guard let old else { return }
        // The replaced database may be damaged, which may be why it was replaced.
        served = try? copy.lastServed(before: old, in: storage)
        users = try? served.map { try UserDifference.lines(from: $0, to: "\(storage)/\(copy.name)") }
    }
}
