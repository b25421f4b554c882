import Foundation
import SQLiteStorage
import SealedSQLite

extension Database {
    /// Encrypts the database with another key from now on: its documents, indexes and attachments. `nil` decrypts it; a plain
    /// database is encrypted. Configurations with the former key do not open it any more.
    ///
    /// All of it is written again, beside the present files, which are overwritten at the end: it takes as much room as these
    /// for the time, and as long as copying them. Attachments that are sealed with an `AttachmentKey` of their own stay as they
    /// are.
    ///
    /// Keep both keys until the call returns. If the process or the computer ends before that, the database has the former key,
    /// or, once it is whole with the new one, that: open it with the new key, and with the former one if that is refused.
    /// Opening it next also finishes the change, as it does if some of the former files could not be replaced or removed, which
    /// is only logged.
    ///
    /// Listeners stay, and ``config`` keeps the former key. Results of queries that are being read end, and calls of other
    /// threads fail with `.busy` until it is done.
    ///
    /// - Throws: `.busy` while replicators and live queries run, and if another process or another object has the database
    ///   open; `.invalidParameter` inside `inBatch`, for an empty password, and for a key that does not have 32 bytes;
    ///   `.diskFull`, `.notWritable` and `.ioError` if it cannot be written again, and `.corruptData` if it cannot be read;
    ///   `.cannotOpenFile` after the folder was deleted or moved; `.notOpen` if the database is closed. In all these cases it
    ///   has the former key. If it has the new one, but cannot be opened again, the error has the code of that and says so,
    ///   and the database is closed.
    public func changeEncryptionKey(_ key: EncryptionKey?) throws { try changeKey(to: key) }

    /// - Parameters:
    ///   - beforeReplacing: called when the new database is whole.
    ///   - beforeStep: called before each step in which it replaces the former one.
    func changeKey(
        to key: EncryptionKey?, beforeReplacing: () throws -> Void = {},
        beforeStep: (KeyChangeCompletion.Step) throws -> Void = { _ in }
    ) throws {
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
            var configuration = open.configuration
            configuration.encryptionKey = key
            var failure: (any Error)?
            do {
                try Self.change(open, to: configuration, beforeReplacing: beforeReplacing, beforeStep: beforeStep)
            } catch {
                configuration = open.configuration
                failure = error
            }
            opening.release()
            do { database = try OpenDatabase(reopening: open, configuration: configuration) } catch {
                open.stop()
                throw failure ?? StoreError.hasNewKey(folder.url.path, butIsClosedBy: error)
            }
            if let failure { throw failure }
        }
        LibraryLog.database.info("Changed the encryption key of \(folder.url.path)")
    }

    /// Whether the database in a folder is encrypted, so that a program knows before opening it whether to ask for a password;
    /// false where there is none. After a change of the key that a crash has ended, it is about the key that opens the database
    /// from then on. A database that a newer version of the library has encrypted is encrypted, too.
    ///
    /// - Throws: `.cannotOpenFile` and `.ioError` if its file cannot be read.
    public static func isEncrypted(folder path: String) throws -> Bool {
        let folder = DatabaseFolder(URL(fileURLWithPath: path, isDirectory: true))
        guard let file = KeyChangeCompletion(folder).presentDatabase else { return false }
        do throws(SealedFileError) {
            return SealedHead.begins(try FileStart.read(file.path, count: SealedHead.length))
        } catch { throw StoreError.sealing(error, path: file.path) }
    }

    /// - Throws: only as long as the database has the former key.
    private static func change(
        _ open: OpenDatabase, to configuration: DatabaseConfiguration, beforeReplacing: () throws -> Void,
        beforeStep: (KeyChangeCompletion.Step) throws -> Void
    ) throws {
        let folder = open.core.folder
        let use = try folder.lock(folder.useLock, mode: .exclusive, timeout: StoreLimits.busyTimeout)
        defer { use.release() }
        try KeyChange(folder, from: DatabaseSeal(open.configuration), to: DatabaseSeal(configuration))
            .run(beforeReplacing: beforeReplacing, beforeStep: beforeStep)
    }
}
