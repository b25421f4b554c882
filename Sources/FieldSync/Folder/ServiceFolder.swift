import DocumentStore
import DocumentValues
import FieldRecords
import Foundation
import Glibc
import SQLiteStorage

/// The part of a record folder in which the sync service and the shells find each other.
public struct ServiceFolder: Sendable {
    package let url: URL

    public init(of folder: FieldFolder) { url = folder.url.appendingPathComponent("sync", isDirectory: true) }

    private static let requestPrefix = "request-"
    static let notesName = "state.json"

    private var notesFile: URL { url.appendingPathComponent(Self.notesName) }
    /// Held by a service as long as it runs.
    private var serviceLock: URL { url.appendingPathComponent("service.lock") }
    /// Held by the process that exchanges records.
    private var exchangeLock: URL { url.appendingPathComponent("exchange.lock") }
    /// Held while a service, a sync or a command writes the notes.
    private var notesLock: URL { url.appendingPathComponent("notes.lock") }

    package func prepare() throws {
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    // MARK: Locks

    /// - Returns: `nil` if another service has it.
    package func takeServiceLock() throws -> FileLock? {
        try FileLock.take(serviceLock, mode: .exclusive, timeout: ServiceLimits.lockTimeout)
    }

    /// - Returns: `nil` if another process exchanges this folder's records.
    package func takeExchangeLock() throws -> FileLock? {
        try FileLock.take(exchangeLock, mode: .exclusive, timeout: ServiceLimits.lockTimeout)
    }

    /// A lock ends with its process in any case, so this is never out of date.
    public func isServiceRunning() throws -> Bool {
        guard FileManager.default.fileExists(atPath: serviceLock.path) else { return false }
        guard let probe = try FileLock.take(serviceLock, mode: .shared, timeout: 0) else { return true }
        probe.release()
        return false
    }

    // MARK: Reports

    /// The last notes, perhaps of a service that is gone; empty if there are none, or if they cannot be read.
    package func notes() -> SyncNotes { (try? storedNotes()) ?? SyncNotes() }

    /// Damaged notes are none, because nothing else would ever replace them.
    ///
    /// - Throws: `StoreError` for a file that cannot be read now, whose content must not be replaced.
    private func storedNotes() throws -> SyncNotes {
        do {
            guard let data = try read(notesFile) else { return SyncNotes() }
            return (try? JSONDecoder().decode(SyncNotes.self, from: data)) ?? SyncNotes()
        } catch {
            throw StoreError.file(error, message: "The notes of the last exchange cannot be read.", file: notesFile)
        }
    }

    /// Changes the notes, even if another process wrote them.
    package func change(_ change: (inout SyncNotes) -> Void) throws {
        guard let lock = try FileLock.take(notesLock, mode: .exclusive, timeout: ServiceLimits.notesTimeout) else {
            throw StoreError.posix(EWOULDBLOCK, message: "Another program keeps the file locked.", file: notesFile)
        }
        defer { lock.release() }
        var notes = try storedNotes()
        change(&notes)
        try write(notes)
    }

    private func write(_ notes: SyncNotes) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Not synced to the disk: after a power cut the notes are only out of date.
        try FieldFolder.writePrivately(Array(try encoder.encode(notes)), to: notesFile, isDurable: false)
    }

    // MARK: Requests

    static func isRequest(_ name: String) -> Bool { name.hasExactPrefix(requestPrefix) }

    func ask(_ request: SyncRequest) throws {
        try FieldFolder.writePrivately(
            Array(try JSONEncoder().encode(request)), to: file(of: request), isDurable: false)
    }

    func withdraw(_ request: SyncRequest) { unlink(file(of: request).path) }

    /// Each request is taken once, even an unreadable one: the process that made it waits for an answer.
    func takeRequests() throws -> TakenRequests {
        var taken = TakenRequests()
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path).filter(Self.isRequest) {
            let file = url.appendingPathComponent(name)
            let data = try? read(file)
            // A file that is gone was taken back; a folder is not a request.
            guard unlink(file.path) == 0 else { continue }
            if let data, let request = try? JSONDecoder().decode(SyncRequest.self, from: data) {
                taken.requests.append(request)
            } else {
                taken.unreadable.append(Self.id(ofRequest: name))
            }
        }
        return taken
    }

    /// The requests to the service.
    struct TakenRequests {
        var requests: [SyncRequest] = []
        /// The ids of unreadable requests.
        var unreadable: [String] = []
    }

    private static let requestSuffix = ".json"

    private static func id(ofRequest name: String) -> String {
        let id = name.utf8.dropFirst(requestPrefix.utf8.count)
        return String(
            decoding: name.hasExactSuffix(requestSuffix) ? id.dropLast(requestSuffix.utf8.count) : id, as: UTF8.self)
    }

    private func file(of request: SyncRequest) -> URL {
        url.appendingPathComponent(Self.requestPrefix + request.id + Self.requestSuffix)
    }

    /// - Returns: `nil` if there is no such file.
    private func read(_ file: URL) throws -> Data? {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw StoreError.posix(code, message: "The file cannot be opened.", file: file)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return try handle.read(upToCount: ServiceLimits.notesFile)
    }
}
