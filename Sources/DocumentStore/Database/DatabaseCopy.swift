import DocumentValues
import Foundation
import GRDB
import Glibc
import SQLiteStorage
import SealedSQLite

/// Copies a database folder into a new one, which appears under its name only when it is whole.
struct DatabaseCopy {
    let source: DatabaseFolder
    let target: DatabaseFolder
    let configuration: DatabaseConfiguration
    /// Waits until a file, or the list of a folder's files, is on the disk.
    var synchronize: @Sendable (URL) throws -> Void = { try DurableFile.synchronize($0) }

    func run() throws {
        // The lock keeps others from deleting or migrating the source during the copy; reading and writing goes on.
        let (use, keyed) = try openSource()
        try checkAttachmentKey()
        let draft = DatabaseFolder(
            target.url.deletingLastPathComponent().appendingPathComponent(".copying-\(UUID().uuidString)"))
        try draft.make()
        do {
            // One that opens the copy while it is made; with it, it has another path.
            let keyedDraft = try seal.openOrMake(draft)
            try draft.keepPrivate()
            // Most of them, while writing goes on.
            try copyAttachments(to: draft)
            try copyDatabase(to: draft)
            withExtendedLifetime(keyedDraft) {}
            try draft.markComplete()
            // After a loss of power, a folder of that name must not have a part of it only.
            try DurableFile.synchronizeAll(in: draft.url, by: synchronize)
            try FileManager.default.moveItem(at: draft.url, to: target.url)
            try synchronize(target.url.deletingLastPathComponent())
        } catch {
            try? FileManager.default.removeItem(at: draft.url)
            throw failure(error)
        }
        withExtendedLifetime((use, keyed)) {}
    }

    /// With the file that could not be read or written, and the system's reason.
    private func failure(_ error: any Error) -> any Error {
        guard !(error is DatabaseError) else { return StoreError.wrapping(error, path: source.url.path) }
        let path = (error as NSError).userInfo[NSFilePathErrorKey] as? String
        let failure = StoreError.file(
            error, message: "The database cannot be copied.",
            file: path.map { URL(fileURLWithPath: $0) } ?? source.url)
        guard failure.code == .diskFull, failure.context.isEmpty else { return failure }
        let context = ["path": target.url.path, "reason": String(cString: strerror(ENOSPC))]
        return StoreError(.diskFull, message: failure.message, context: context, hint: failure.hint)
    }

    /// The copy has the key of the source, and a salt of its own.
    private var seal: DatabaseSeal { DatabaseSeal(configuration) }

    /// A change of the key that a crash has ended is finished first.
    private func openSource() throws -> (use: FileLock, keyed: KeyedFile?) {
        let opening = try source.lock(source.openingLock, mode: .exclusive, timeout: StoreLimits.busyTimeout)
        defer { opening.release() }
        let use = try source.lock(source.useLock, mode: .shared, timeout: StoreLimits.busyTimeout)
        let keyChange = KeyChangeCompletion(source)
        try keyChange.replaceFiles()
        let keyed = try seal.openOrMake(source)
        keyChange.removeFormer()
        return (use, keyed)
    }

    /// A caller that gives an attachment key expects the copy to be sealed with it.
    private func checkAttachmentKey() throws {
        let storage = configuration.blobStorage
        switch storage.kind {
        case .plain, .database: return
        case .vault: break
        }
        guard try sourceKind() == .vault else {
            throw StoreError(
                .wrongAttachmentStorage, message: "The attachments of this folder are not sealed.",
                context: ["path": source.url.path],
                hint: "Copy it without an attachment key, or save the documents in a new database that seals them.")
        }
        // The folder has a key, so a missing one must not be replaced.
        _ = try storage.open(folder: source.attachments, hasSealedRows: true)
    }

    /// - Parameter timeout: how long it waits for a writer, in seconds.
    private static func connect(
        _ folder: DatabaseFolder, waiting timeout: TimeInterval = StoreLimits.busyTimeout
    ) throws -> DatabaseQueue {
        try ConnectionSettings(
            label: "fieldbook.database.copy", busyTimeout: timeout, readers: 1, pragmas: ["synchronous = FULL"]
        ).queue(folder.database.path)
    }

    private func sourceKind() throws -> BlobStorageKind? {
        try translatingErrors(path: source.database.path) {
            let queue = try Self.connect(source)
            let kind = try queue.read { db in try PropertyTable(db).value(of: "blob_storage") }
            try queue.close()
            return kind.flatMap { BlobStorageKind(rawValue: String(decoding: $0, as: UTF8.self)) }
        }
    }

    private func copyDatabase(to draft: DatabaseFolder) throws {
        let from = try Self.connect(source)
        let to = try Self.connect(draft)
        try from.read { snapshot in
            try whileNobodyWrites {
                // The first query fixes the state that the following ones read.
                _ = try Int.fetchOne(snapshot, sql: "SELECT count(*) FROM collections")
                try copyAttachments(to: draft)
            }
            try to.writeWithoutTransaction { try snapshot.backup(to: $0) }
        }
        // A copy with the same checkpoints would skip changes that only the original has received.
        try to.write { db in
            try db.execute(sql: "DELETE FROM checkpoints")
            try PropertyTable(db).removeAll(like: #"%\_uuid"#)
            try DeviceCookies.forgetAll(db)
        }
        try from.close()
        try to.close()
    }

    /// Only a writer removes attachments: as long as no other writer is at work, all that documents refer to are there.
    private func whileNobodyWrites(_ body: () throws -> Void) throws {
        let lock = try Self.connect(source, waiting: StoreLimits.copyTimeout)
        try lock.inTransaction(.immediate) { _ in
            try body()
            return .rollback
        }
        try lock.close()
    }

    /// Brings the copy's attachments in step with the present ones: attachments that were purged since must not be in
    /// the copy.
    private func copyAttachments(to draft: DatabaseFolder) throws {
        let (there, copied) = try (files(in: source.attachments), files(in: draft.attachments))
        for file in copied.subtracting(there) {
            try FileManager.default.removeItem(at: draft.attachments.appendingPathComponent(file.text))
        }
        for file in there.subtracting(copied) {
            let original = source.attachments.appendingPathComponent(file.text)
            let copy = draft.attachments.appendingPathComponent(file.text)
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            do {
                try checkIsFile(original)
                try FileManager.default.copyItem(at: original, to: copy)
            } catch {
                // Purged since the list was read.
                if DatabaseFolder.isThere(original) { throw error }
            }
        }
    }

    /// Reading a pipe would wait for ever, and a link would lead out of the folder.
    private func checkIsFile(_ file: URL) throws {
        do throws(OwnFileError) { try OwnFile.check(file.path) } catch {
            throw StoreError.own(error, message: "An attachment cannot be copied.", file: file)
        }
    }

    /// Their paths inside the folder, without those that are not whole.
    private func files(in folder: URL) throws -> Set<Name> {
        guard DatabaseFolder.isThere(folder) else { return [] }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Set(
            paths.lazy.map { Name($0) }.filter { path in
                var isFolder: ObjCBool = false
                let file = folder.appendingPathComponent(path.text).path
                return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) && !isFolder.boolValue
                    && !path.text.utf8.starts(with: "\(BlobFolder.draftsName)/".utf8)
            })
    }
}
