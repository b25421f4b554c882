import DocumentValues
import Foundation
import GatewayCore
import HTTPTypes
import Logging
import SQLiteStorage
import SodiumCrypto
import Synchronization

/// The people who may use the admin and metrics ports: names and password hashes from a file in the storage folder.
package final class Administrators: Sendable {
    package static let fileName = "administrators.json"

    private let file: String
    private let known: Mutex<Known>
    private let storage: String
    /// The token of the gateway's own commands.
    let localToken: [UInt8]
    let credentials = PasswordChecker(strength: .interactive)
    private let logger: Logger
    private let audit: AuditLog?

    /// The content that was read, and the version of the file.
    private struct Known {
        var hashes: [Name: String]
        var stamp: FileStamp?
        /// The stamp of a version that cannot be read, which is tried again each time and reported once.
        var unreadable: FileStamp?
    }

    /// Makes the token for local commands again.
    ///
    /// - Parameter audit: gets the changes of administrators; `nil` if there is no audit log.
    package init(storage path: String, audit: AuditLog? = nil, logger: Logger) throws {
        self.logger = logger
        self.audit = audit
        localToken = Array(try LocalAdministrator.make(storage: path).utf8)
        file = URL(fileURLWithPath: path).appendingPathComponent(Self.fileName).path
        // Taken before the file is read, so that a change in between is noticed.
        let stamp = FileStamp(path: file)
        known = Mutex(Known(hashes: try Self.hashes(storage: path), stamp: stamp))
        storage = path
    }

    /// The present hashes of the file: 'fieldbook-gateway password' changes it while the gateway runs. If it cannot be
    /// read, the last known ones stay.
    func hash(of name: String) -> String? {
        look()
        return known.withLock { $0.hashes[Name(name)] }
    }

    /// Reads the file again if it has changed, and reports the differences. Administrators have the strongest right of
    /// all, and another program changes the file, so no other line would record it.
    func look() {
        let stamp = FileStamp(path: file)
        let changes = known.withLock { known -> [AdministratorChange] in
            guard stamp != known.stamp else { return [] }
            do {
                let hashes = try Self.hashes(storage: storage)
                let changes = AdministratorChange.all(from: known.hashes, to: hashes)
                known = Known(hashes: hashes, stamp: stamp)
                return changes
            } catch {
                if stamp != known.unreadable {
                    logger.error("The administrators' passwords cannot be read", metadata: ["error": "\(error)"])
                }
                known.unreadable = stamp
                return []
            }
        }
        for change in changes { report(change) }
    }

    private func report(_ change: AdministratorChange) {
        logger.notice(
            "The administrators were changed",
            metadata: ["user": "\(change.name.text)", "change": "\(change.kind.rawValue)"])
        audit?.administrator(change.name.text, change: change.kind.rawValue)
    }

    /// The names of those who have a password.
    package static func names(storage path: String) throws -> [String] {
        try hashes(storage: path).keys.sorted().map(\.text)
    }

    private static func hashes(storage path: String) throws -> [Name: String] {
        let file = URL(fileURLWithPath: path).appendingPathComponent(fileName)
        do {
            guard let bytes = try FileContent.bytes(file.path) else { return [:] }
            let object = try JSONObject(parsing: bytes)
            var hashes: [Name: String] = [:]
            for member in object {
                guard let hash = member.value.stringValue else {
                    throw GatewayError.invalidAdministratorHash
                }
                hashes[Name(member.key)] = hash
            }
            return hashes
        } catch {
            throw ConfigurationError(
                file.path, problem: "cannot be read",
                hint:
                    "Check who owns it. If it is damaged, take it from a backup, or move it away and make new passwords "
                    + "with 'fieldbook-gateway password'")
        }
    }

    /// Writes or changes one administrator; the file is readable by its owner alone.
    package static func set(_ name: String, password: String, storage path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = try lock(storage: path)
        defer { lock.release() }
        // A damaged file is not replaced: the other names in it would be lost.
        var hashes = try hashes(storage: path)
        hashes[Name(name)] = try PasswordHash.make(password)
        try write(hashes, storage: path)
    }

    /// Keeps other processes from changing the file between reading and writing: an administrator whom they remove
    /// would come back.
    private static func lock(storage path: String) throws -> FileLock {
        let name = ".administrators.lock"
        let file = "\(path)/\(name)"
        do {
            let timeout = GatewayServerLimits.administratorLock
            if let lock = try FileLock.take(name, in: path, timeout: timeout) { return lock }
        } catch { throw ConfigurationError(file, problem: "cannot be locked: \(error.reason)") }
        throw ConfigurationError(file, problem: "is held by another command that changes administrators")
    }

    /// Removes one. The last one cannot be removed: the admin port could then not be used from other machines.
    package static func remove(_ name: String, storage path: String) throws {
        let lock = try lock(storage: path)
        defer { lock.release() }
        var hashes = try hashes(storage: path)
        let file = "\(path)/\(fileName)"
        guard hashes.removeValue(forKey: Name(name)) != nil else {
            let known = hashes.keys.sorted().map(\.text)
            throw ConfigurationError(
                file, problem: "has no administrator '\(name)'",
                hint: known.isEmpty ? "There is none" : "There is: \(known.joined(separator: ", "))")
        }
        guard !hashes.isEmpty else {
            throw ConfigurationError(
                file, problem: "has no administrator but '\(name)'",
                hint: "Make another one first: fieldbook-gateway password --new NAME")
        }
        try write(hashes, storage: path)
    }

    private static func write(_ hashes: [Name: String], storage path: String) throws {
        let object = JSONObject(
            members: hashes.sorted { $0.key < $1.key }.map { .init(key: $0.key.text, value: .string($0.value)) })
        try PrivateFile.write("\(JSONValue.object(object))", to: "\(path)/\(fileName)", mode: 0o600)
    }
}
