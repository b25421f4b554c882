import Foundation
import SQLiteStorage
import SealedSQLite

extension Database {
    /// Encrypts the database with another key from now on: its documents, indexes and attachments. `nil` decrypts it; a plain
    /// database is encrypted. Configurations with the former key do not open it any more.
    ///
    /// All of it is written again, beside the present files, which are overwritten at the end: it takes as much room as these
    /// for the time, and as long as copying them. If the process or the computer ends before that, the database has the former
    /// key, or, once it is whole, the new one: opening it next finishes the change. Attachments that are sealed with an
    /// `AttachmentKey` of their own stay as they are.
    ///
    /// Listeners stay. Results of queries that are being read end, and calls of other threads fail with `.busy` until it is
    /// done.
    ///
    /// - Throws: `.busy` while replicators and live queries run, and if another process or another object has the database
    ///   open; `.invalidParameter` inside `inBatch`, for an empty password, and for a key that does not have 32 bytes;
    ///   `.diskFull`, `.notWritable` and `.ioError` if it cannot be written again, and `.corruptData` if it cannot be read:
    ///   then it has the former key; `.cannotOpenFile` after the folder was deleted or moved; `.notOpen` if the database is
    ///   closed.
    public func changeEncryptionKey(_ key: EncryptionKey?) throws {
        // Before anything is closed.
        _ = try key?.secret
        try core().checkIsOutsideOfBatch()
        if try key == nil && opened().configuration.encryptionKey == nil { return }
        // Other files may have the path by now.
        guard try !core().hasLostItsFile else { throw StoreError.lostFolder(folder.url.path) }
        try exchangeForOtherKey { database in
            guard let open = database else { return }
            let folder = open.core.folder
            let opening = try folder.lock(folder.openingLock, mode: .exclusive, timeout: StoreLimits.busyTimeout)
            guard try open.core.isOpenHereAlone() else { throw folder.inUse }
            try open.closeKeepingListeners()
            database = nil
            let (configuration, failure) = Self.change(open, to: key)
            opening.release()
            do { database = try OpenDatabase(reopening: open, configuration: configuration) } catch {
                open.stop()
                throw failure ?? error
            }
            if let failure { throw failure }
        }
        LibraryLog.database.info("Changed the encryption key of \(folder.url.path)")
    }

    /// Whether the database in a folder is encrypted, so that a program knows before opening it whether to ask for a password;
    /// false where there is none.
    ///
    /// - Throws: `.cannotOpenFile` and `.ioError` if its file cannot be read.
    public static func isEncrypted(folder path: String) throws -> Bool {
        let folder = DatabaseFolder(URL(fileURLWithPath: path, isDirectory: true))
        guard DatabaseFolder.isThere(folder.database) else { return false }
        do throws(SealedFileError) {
            let start = try FileStart.read(folder.database.path, count: SealedHead.length)
            return (try? SealedHead(start)) != nil
        } catch { throw StoreError.sealing(error, path: folder.database.path) }
    }

    /// - Returns: the configuration that opens the database from then on, and why it has the former key, or why files with
    ///   the former key are left.
    private static func change(
        _ open: OpenDatabase, to key: EncryptionKey?
    ) -> (DatabaseConfiguration, failure: (any Error)?) {
        let folder = open.core.folder
        var changed = open.configuration
        changed.encryptionKey = key
        do {
            let use = try folder.lock(folder.useLock, mode: .exclusive, timeout: StoreLimits.busyTimeout)
            defer { use.release() }
            try KeyChange(folder, from: DatabaseSeal(open.configuration), to: DatabaseSeal(changed)).run()
            return (changed, nil)
        } catch {
            return (DatabaseFolder.isThere(folder.changedKey) ? changed : open.configuration, error)
        }
    }
}
