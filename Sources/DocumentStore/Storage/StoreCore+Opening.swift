import DatabaseMigrations
import DocumentValues
import Foundation
import GRDB
import SQLiteStorage
import SealedSQLite

extension StoreCore {
    /// "FdBk": distinguishes our files from those of other programs.
    private static let applicationID = 0x4664_426B

    /// Opens a folder, which is made and migrated where needed. Two processes that open a new folder at the same moment
    /// do so one after the other.
    ///
    /// - Throws: `.busy` at once if the configuration is exclusive and the folder is open elsewhere.
    static func open(_ folder: DatabaseFolder, configuration: DatabaseConfiguration) throws -> StoreCore {
        try folder.make()
        let timeout = StoreLimits.busyTimeout
        let opening = try folder.lock(folder.openingLock, mode: .exclusive, timeout: timeout)
        let useLock = try folder.lock(
            folder.useLock, mode: configuration.isExclusive ? .exclusive : .shared,
            timeout: configuration.isExclusive ? 0 : timeout)
        let keyChange = KeyChangeCompletion(folder)
        try keyChange.replaceFiles()
        let keyed = try DatabaseSeal(configuration).openOrMake(folder)
        keyChange.removeFormer()
        let reserve = DiskReserve(folder)
        try folder.keepPrivate()
        let core = try reserve.opening {
            try open(folder, configuration: configuration, holding: useLock, keyed: keyed)
        }
        try core.markComplete()
        core.room.refillReserve()
        withExtendedLifetime(opening) {}
        return core
    }

    private static func open(
        _ folder: DatabaseFolder, configuration: DatabaseConfiguration, holding useLock: FileLock, keyed: KeyedFile?
    ) throws -> StoreCore {
        try translatingErrors(path: folder.database.path) {
            folder.fillLog()
            let pool = try connections.pool(folder.database.path)
            try checkApplication(pool, folder: folder)
            let identity = try prepare(pool, folder: folder, storage: configuration.blobKind)
            let blobs = try pool.read { try self.blobs(of: folder, configuration: configuration, $0) }
            return StoreCore(
                folder: folder, pool: pool,
                results: ReadingConnections(path: folder.database.path, settings: connections),
                lookups: DocumentLookups(path: folder.database.path, settings: connections), useLock: useLock,
                keyed: keyed, blobs: blobs, identity: identity, durability: configuration.durability)
        }
    }

    private static func blobs(
        of folder: DatabaseFolder, configuration: DatabaseConfiguration, _ db: GRDB.Database
    ) throws -> any BlobStorage {
        switch configuration.blobKind {
        case .plain, .vault:
            let rows = try RawStatement("SELECT 1 FROM quarantine WHERE is_sealed LIMIT 1", db)
            return try configuration.blobStorage.open(
                folder: folder.attachments, hasSealedRows: rows.first { _ in true } ?? false)
        case .database:
            try BlobFolder(folder.attachments).removeAbandonedDrafts()
            return SealedBlobStorage(folder: folder.attachments, databaseKey: try BlobKey.find(db), kind: .database)
        }
    }

    static let connections = ConnectionSettings(
        label: "fieldbook.database", busyTimeout: StoreLimits.busyTimeout, readers: StoreLimits.readers,
        pragmas: ["journal_size_limit = \(StoreLimits.logSize)"],
        // The size of a page has no effect on a file that is there already.
        writerPragmas: ["page_size = \(StoreLimits.pageSize)", "cache_size = -\(StoreLimits.writerCache / 1024)"],
        prepare: ConnectionFunctions.register)

    private static func checkApplication(_ pool: DatabasePool, folder: DatabaseFolder) throws {
        let (id, tables) = try pool.read { db in
            (
                try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
                try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            )
        }
        guard id != applicationID else { return }
        guard id == 0, tables == 0 else {
            throw StoreError(
                .wrongFormat, message: "This is a database of another program.",
                context: ["path": folder.database.path],
                hint: "Choose another folder.")
        }
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA application_id = \(applicationID)") }
    }

    /// Brings the file up to date, in one transaction, and returns the database's identity. If there is nothing to do,
    /// nothing is written, so that a process that only reads does not wait for a writer.
    private static func prepare(
        _ pool: DatabasePool, folder: DatabaseFolder, storage: BlobStorageKind
    ) throws -> DatabaseIdentity {
        let schema = Schema(DatabaseMigrations.store)
        do {
            let path = folder.database.path
            let stored = try pool.read { db in
                try isUpToDate(db, path: path, schema: schema) ? identity(in: db) : nil
            }
            if let identity = stored {
                try check(identity, folder: folder, storage: storage)
                return identity
            }
            return try pool.writeWithoutTransaction { db in
                try db.writing {
                    try migrate(db, path: path, schema: schema)
                    let identity = try makeIdentity(in: db, storage: storage)
                    try check(identity, folder: folder, storage: storage)
                    return identity
                }
            }
        } catch is NewerSchema {
            throw StoreError(
                .databaseTooNew, message: "The database was written by a newer version of this program.",
                context: ["path": folder.url.path], hint: "Update this program.")
        }
    }

    /// - Throws: `.corruptData` for a file with anything that this program has not made, before anything else is read.
    private static func isUpToDate(_ db: GRDB.Database, path: String, schema: Schema) throws -> Bool {
        let objects = try SchemaCheck(db, path: path)
        try objects.checkMigrations()
        guard try !schema.isNewer(db) else { throw NewerSchema() }
        try objects.checkNames()
        guard try schema.isComplete(db) else { return false }
        try objects.checkStatements()
        guard try CollectionCatalog.find(.default, db) != nil else { return false }
        for record in try CollectionCatalog.all(db) {
            guard try CollectionCatalog.hasIndexes(record.id, db) else { return false }
        }
        return try areIndexesCurrent(db) && areIndexesAsMade(objects, db)
    }

    private static func migrate(_ db: GRDB.Database, path: String, schema: Schema) throws {
        try schema.migrate(in: db)
        try CollectionCatalog.addColumns(db)
        let name = CollectionName.default
        if try CollectionCatalog.find(name, db) == nil { _ = try CollectionCatalog.create(name, db) }
        for record in try CollectionCatalog.all(db) { try CollectionCatalog.createIndexes(record.id, db) }
        try makeIndexesAgain(db)
        try mendIndexes(db, path: path)
        try SchemaCheck(db, path: path).checkStatements()
    }

    // MARK: Identity

    /// `nil` where that was not decided yet.
    private static func identity(in db: GRDB.Database) throws -> DatabaseIdentity? {
        let properties = PropertyTable(db)
        guard let kind = try properties.value(of: "blob_storage"),
            let own = try properties.value(of: "private_uuid"), let open = try properties.value(of: "public_uuid")
        else { return nil }
        return DatabaseIdentity(
            privateUUID: own, publicUUID: open, blobStorage: String(decoding: kind, as: UTF8.self))
    }

    /// Decides the values that were not decided yet.
    private static func makeIdentity(in db: GRDB.Database, storage: BlobStorageKind) throws -> DatabaseIdentity {
        let kind = try property("blob_storage", in: db, else: { Array(storage.rawValue.utf8) })
        if kind.elementsEqual(BlobStorageKind.database.rawValue.utf8) { try BlobKey.ensure(db) }
        return DatabaseIdentity(
            privateUUID: try property("private_uuid", in: db, else: randomBytes),
            publicUUID: try property("public_uuid", in: db, else: randomBytes),
            blobStorage: String(decoding: kind, as: UTF8.self))
    }

    /// Refuses a folder whose blobs are kept in another way.
    private static func check(
        _ identity: DatabaseIdentity, folder: DatabaseFolder, storage: BlobStorageKind
    ) throws {
        guard identity.blobStorage != storage.rawValue else { return }
        let (message, hint) =
            switch BlobStorageKind(rawValue: identity.blobStorage) {
            case .vault: ("The attachments of this folder are sealed.", "Open it with its attachment key.")
            case .plain, nil: ("The attachments of this folder are not sealed.", "Open it without an attachment key.")
            case .database:
                (
                    "The attachments of this folder are sealed with the key of the database.",
                    "Open it without an attachment key."
                )
            }
        throw StoreError(.wrongAttachmentStorage, message: message, context: ["path": folder.url.path], hint: hint)
    }

    private static func property(
        _ key: String, in db: GRDB.Database, else value: () -> [UInt8]
    ) throws -> [UInt8] {
        if let stored = try PropertyTable(db).value(of: key) { return stored }
        let value = value()
        try PropertyTable(db).add(key, value: value)
        return value
    }

    private static func randomBytes() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// A database with the mark must be complete after a power cut, so the log is copied into the file first.
    private func markComplete() throws {
        guard !DatabaseFolder.isThere(folder.completionMark) else { return }
        try truncateLog()
        try folder.markComplete()
    }
}
