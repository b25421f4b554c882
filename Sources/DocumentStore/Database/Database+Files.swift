import Foundation
import SQLiteStorage

extension Database {
    /// Removes a database that is not open anywhere; nothing happens where there is none.
    ///
    /// - Throws: `.busy` if it is open; `.invalidParameter` for a name that no database can have; `.notWritable` and `.ioError`
    ///   if its files cannot be removed.
    public static func delete(withName name: String, inDirectory directory: String? = nil) throws {
        let folder = try folder(name, in: directory)
        if folder.exists { try remove(folder) }
    }

    /// Whether there is a database of that name; without a directory, in that of a new configuration.
    public static func exists(withName name: String, inDirectory directory: String? = nil) -> Bool {
        (try? folder(name, in: directory).exists) ?? false
    }

    /// Copies a database folder, also one that is open, to a new database: the same documents under another identity,
    /// so that the copy and the original are different peers to a gateway. Its attachments are kept as those of the original
    /// are: a copy of sealed ones opens with the same key.
    ///
    /// - Parameter config: where the copy is made; `nil`: in the default directory. If it has an attachment key, that has to
    ///   open the original. An encrypted database needs its key there, which the copy has, too.
    /// - Throws: `.notFound` if there is nothing to copy, `.invalidParameter` if there is a database of that name already,
    ///   and in a batch of the original; `.notADatabase` if the original is encrypted with another key, or if only one of the
    ///   original and the configuration has a key; with an attachment key, before anything is copied,
    ///   `.wrongAttachmentStorage` if the original is not sealed, or in another way, and `.wrongPassphrase`; `.busy` after ten
    ///   seconds in which others kept it locked.
    public static func copy(
        fromPath path: String, toDatabase name: String, withConfig config: DatabaseConfiguration?
    ) throws {
        let config = config ?? DatabaseConfiguration()
        let source = DatabaseFolder(URL(fileURLWithPath: path, isDirectory: true))
        let target = try folder(name, in: config.directory)
        guard source.exists else {
            throw StoreError(.notFound, message: "There is no database to copy.", context: ["path": path])
        }
        guard !DatabaseFolder.isThere(target.url) else {
            throw StoreError(
                .invalidParameter, message: "A database of this name exists already.",
                context: ["path": target.url.path])
        }
        try OpenBatches.checkIsOutside(of: source)
        try DatabaseCopy(source: source, target: target, configuration: config).run()
    }

    private static func folder(_ name: String, in directory: String?) throws -> DatabaseFolder {
        try DatabaseFolder.checkName(name)
        return DatabaseFolder(name: name, directory: directory ?? DatabaseConfiguration.defaultDirectory)
    }

    static func remove(_ folder: DatabaseFolder) throws {
        let opening = try folder.lock(folder.openingLock, mode: .exclusive, timeout: StoreLimits.busyTimeout)
        let use = try folder.lock(folder.useLock, mode: .exclusive, timeout: 0)
        do { try folder.remove() } catch {
            throw StoreError.file(error, message: "The database folder cannot be removed.", file: folder.url)
        }
        withExtendedLifetime((opening, use)) {}
    }
}
