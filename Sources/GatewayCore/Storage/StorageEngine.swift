import Logging

/// The engine that stores the gateway's databases. This file alone names it: the code outside of the engine's own folder
/// uses the protocols of `Storage`, which a repository test holds it to.
enum StorageEngine {
    /// Opens the store of a database, and makes it if there is none.
    ///
    /// - Parameters:
    ///   - path: of the database's file.
    ///   - shortage: of the disk that all databases share; an engine that reserves no space has no use for it.
    /// - Throws: a `StorageError`, or a `GatewayError` that says what to do.
    static func open(_ path: String, sharing shortage: DiskShortage, logger: Logger) throws -> any GatewayStore {
        try SQLiteStore(path: path, shortage: shortage, logger: logger)
    }

    static func file(_ path: String) -> any DatabaseFile { SQLiteFile(path: path) }

    /// Bytes that the disk of a folder has left; `nil` if the system does not report them.
    static func freeSpace(at folder: String) -> Int? { SQLiteFile.freeSpace(at: folder) }
}
