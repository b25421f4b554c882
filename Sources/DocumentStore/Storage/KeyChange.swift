import DocumentValues
import Foundation
import GRDB
import GRDBSQLite
import SQLiteStorage
import SealedSQLite
import SodiumCrypto

/// Copies a database to one with another key, or without one, which then replaces it.
struct KeyChange {
    private let folder: DatabaseFolder
    private let old: DatabaseSeal
    private let new: DatabaseSeal
    private let draft: URL

    /// - Parameter folder: whose locks for opening and for use the caller holds; no process has it open.
    init(_ folder: DatabaseFolder, from old: DatabaseSeal, to new: DatabaseSeal) {
        self.folder = folder
        self.old = old
        self.new = new
        draft = folder.keyDraft
    }

    /// When it returns, the database has the new key. If files could not be replaced yet, opening the folder next does it.
    ///
    /// - Parameters:
    ///   - beforeReplacing: called when the new database is whole.
    ///   - beforeStep: called before each step in which it replaces the former one.
    /// - Throws: only as long as the database has the former key.
    func run(
        beforeReplacing: () throws -> Void = {}, beforeStep: (KeyChangeCompletion.Step) throws -> Void = { _ in }
    ) throws {
        let completion = KeyChangeCompletion(folder)
        do {
            try completion.forgetDraft()
            try make()
            try beforeReplacing()
            try commit()
        } catch {
            // A draft that cannot be removed goes when the folder is opened next.
            try? completion.forgetDraft()
            throw error
        }
        do {
            for step in KeyChangeCompletion.Step.allCases {
                try beforeStep(step)
                try completion.perform(step)
            }
        } catch {
            LibraryLog.database.warning(
                "\(folder.url.path) has the new key, and replaces the former files when it is opened next: \(error)")
        }
    }

    /// The database has the new key as soon as the folder with the new files has another name.
    private func commit() throws {
        try DurableFile.synchronize(draft)
        guard rename(draft.path, folder.changedKey.path) == 0 else {
            throw StoreError.posix(errno, message: "The database with the other key cannot be stored.", file: draft)
        }
    }

    private func make() throws {
        let target = DatabaseFolder(draft)
        try target.make()
        try target.keepPrivate()
        let former = try old.openOrMake(folder)
        let sealed = try seal(target)
        defer { withExtendedLifetime((former, sealed)) {} }
        try translatingErrors(path: folder.database.path) {
            let from = try connect(folder)
            try copyRows(from, to: target)
            let blobs = try from.read(formerBlobs)
            let to = try connect(target)
            if let blobs { try copy(blobs, to: target, in: to) }
            try finish(to, at: target)
            try from.close()
        }
        try DurableFile.synchronize(target.database)
    }

    private func seal(_ target: DatabaseFolder) throws -> KeyedFile? {
        guard let secret = try new.key?.secret else { return nil }
        do throws(SealedFileError) {
            let sealing = try FileSealing(new: secret, strength: new.strength, isDraft: true)
            return try KeyedFile(target.database.path, sealing: sealing)
        } catch { throw StoreError.sealing(error, path: target.database.path) }
    }

    /// Its `page_size` is that of the new file, also where the former one has smaller pages: see `StoreLimits.pageSize`.
    private func connect(_ folder: DatabaseFolder) throws -> DatabaseQueue {
        try StoreCore.connections.queue(folder.database.path)
    }

    private func copyRows(_ from: DatabaseQueue, to target: DatabaseFolder) throws {
        try from.writeWithoutTransaction { db in
            if new.key != nil { db.reserveForSealing() }
            // A file that has been encrypted keeps its reserved bytes when it is decrypted: SQLite only adds some.
            try db.vacuuming { try db.execute(sql: "VACUUM INTO ?", arguments: [target.database.path]) }
        }
    }

    /// The new database leaves its log behind when it is moved.
    private func finish(_ queue: DatabaseQueue, at target: DatabaseFolder) throws {
        let isEmpty = try queue.writeWithoutTransaction { db in
            try db.emptyLog(timeout: 0, busyTimeout: Int(StoreLimits.busyTimeout * 1000))
        }
        guard isEmpty else {
            throw StoreError(
                .busy, message: "The log of the database with the other key cannot be emptied.",
                context: ["path": target.url.path], hint: "Another program reads it. Try again.")
        }
        try queue.close()
    }

    // MARK: Blobs

    /// `nil` if the blobs have a key of their own, and stay as they are.
    private func formerBlobs(_ db: GRDB.Database) throws -> (any CopiedBlobs)? {
        let kind = try RawStatement("SELECT value FROM properties WHERE key = 'blob_storage'", db).first { $0.bytes(0) }
        switch BlobStorageKind(rawValue: String(decoding: kind ?? [], as: UTF8.self)) {
        case .vault: return nil
        case .plain, nil: return PlainBlobStorage(folder: BlobFolder(folder.attachments))
        case .database:
            return SealedBlobStorage(folder: folder.attachments, databaseKey: try BlobKey.find(db), kind: .database)
        }
    }

    /// Copies the blobs, and notes in the new database how they are kept.
    private func copy(_ blobs: any CopiedBlobs, to target: DatabaseFolder, in queue: DatabaseQueue) throws {
        try FileManager.default.createDirectory(
            at: target.attachments, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let (storage, key) = newBlobs(target)
        try queue.writeWithoutTransaction { db in
            try db.writing {
                let update = try RawStatement("UPDATE properties SET value = ?1 WHERE key = 'blob_storage'", db)
                update.bindBlob(1, to: Array(storage.kind.rawValue.utf8))
                try update.run()
                if let key { try BlobKey.replace(by: key, in: db) } else { try BlobKey.remove(db) }
            }
        }
        try blobs.forEachBlob { reader in
            let writer = try storage.writer()
            defer { writer.cancel() }
            while let bytes = try reader.read(upTo: StoreLimits.blobPortion) { try writer.write(bytes) }
            _ = try writer.finish(expecting: nil)
        }
        try DurableFile.synchronize(target.attachments)
    }

    private func newBlobs(_ target: DatabaseFolder) -> (any BlobStorage, SecretKey?) {
        guard new.key != nil else { return (PlainBlobStorage(folder: BlobFolder(target.attachments)), nil) }
        let key = SecretKey()
        return (SealedBlobStorage(folder: target.attachments, databaseKey: key, kind: .database), key)
    }
}

extension GRDB.Database {
    /// Lets the next `VACUUM` leave room in each page for what sealing adds.
    fileprivate func reserveForSealing() {
        var count = Int32(SecretKey.sealingOverhead)
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
    }
}
