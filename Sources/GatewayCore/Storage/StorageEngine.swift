import Logging

/// An engine that stores the gateway's databases, as a value. This file alone names the types of engines: the code outside of
/// their folders uses the protocols of `Storage`, which a repository test holds it to.
struct StorageEngine: Sendable {
    /// As people call it.
    let name: String
    private let makeStore: @Sendable (_ path: String, DiskShortage, Logger) throws -> any GatewayStore
    private let makeFile: @Sendable (_ path: String) -> any DatabaseFile

    /// - Parameters:
    ///   - store: opens a store, as `open` does.
    ///   - file: the database at a path, examined from outside.
    init(
        name: String, store: @Sendable @escaping (_ path: String, DiskShortage, Logger) throws -> any GatewayStore,
        file: @Sendable @escaping (_ path: String) -> any DatabaseFile
    ) {
        self.name = name
        makeStore = store
        makeFile = file
    }

    static let sqlite = StorageEngine(
        name: "SQLite", store: { try SQLiteStore(path: $0, shortage: $1, logger: $2) }, file: { SQLiteFile(path: $0) })

    /// The engine of all databases. Where a configuration names an engine, that is decided here.
    static var standard: StorageEngine { sqlite }

    /// Opens the store of a database, and makes it if there is none.
    ///
    /// - Parameters:
    ///   - path: of the database's file.
    ///   - shortage: of the disk that all databases share; an engine that reserves no space has no use for it.
    /// - Throws: a `StorageError`, or a `GatewayError` that says what to do.
    func open(_ path: String, sharing shortage: DiskShortage, logger: Logger) throws -> any GatewayStore {
        try makeStore(path, shortage, logger)
    }

    func file(_ path: String) -> any DatabaseFile { makeFile(path) }

    /// Bytes that the disk of a folder has left; `nil` if the system does not report them. The disk is the one of this machine,
    /// whatever the engine.
    static func freeSpace(at folder: String) -> Int? { SQLiteFile.freeSpace(at: folder) }
}
