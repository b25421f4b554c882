import DocumentValues
import GRDB
import Glibc
import SQLiteStorage

/// One transaction: the tables it touches, with the counters that are written back when it ends.
///
/// Lives on the writer's queue for the time of `StoreCore.write`.
final class WriteTransaction {
    let db: GRDB.Database
    /// The same instant for everything in the transaction.
    let now = StoreInstant.now
    /// Blobs that lost a reference; those without any are removed after the commit.
    var releasedBlobs: Set<BlobDigest> = []
    /// Purged content must leave the log, too.
    var hasPurged = false
    /// Whether a document got a date at which it is purged.
    var hasNewExpiration = false
    private var tables: [Int64: DocumentTable] = [:]
    private var outboxHasRows: Bool?
    /// `nil` if it is not known.
    private var areBasesKept: Bool?
    /// The calls of `whenRolledBack`, in their order.
    private var reversals: [() -> Void] = []

    init(_ db: GRDB.Database) { self.db = db }

    var blobReferences: BlobReferences { BlobReferences(db: db) }

    func run<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        do {
            return try db.writing {
                let result = try body(self)
                for table in tables.values { try table.writeCounters() }
                if hasPurged { try FullTextLeftovers.note(db) }
                return result
            }
        } catch {
            reverse(to: 0)
            throw error
        }
    }

    /// Calls `body` if the present part of the transaction is rolled back.
    func whenRolledBack(_ body: @escaping () -> Void) { reversals.append(body) }

    private func reverse(to count: Int) {
        while reversals.count > count { reversals.removeLast()() }
    }

    /// A part that is undone as a whole when it fails, while the transaction goes on.
    func nested<Value>(_ body: () throws -> Value) throws -> Value {
        let known = tables
        let counters = tables.mapValues(\.record)
        let released = releasedBlobs
        let noted = reversals.count
        do { return try db.savepoint(body) } catch {
            // The rows and the tables of deleted collections are back, so the counters must be reset, too.
            tables = known
            for (id, table) in tables { table.restore(counters[id]!) }
            releasedBlobs = released
            outboxHasRows = nil
            areBasesKept = nil
            reverse(to: noted)
            throw error
        }
    }

    /// Does a part by one statement where that is enough, and otherwise in a savepoint.
    func part<Value>(
        inOneStatement statement: (WriteTransaction) throws -> Value?,
        otherwise body: (WriteTransaction) throws -> Value
    ) throws -> Value {
        try unlessAborted(statement) ?? nested { try body(self) }
    }

    /// Runs a part without a savepoint of its own, in the transaction as it is.
    private func unlessAborted<Value>(_ body: (WriteTransaction) throws -> Value) throws -> Value {
        try db.checkIsInsideTransaction()
        return try body(self)
    }

    // MARK: Tables

    func table(_ id: Int64) throws -> DocumentTable {
        if let table = tables[id] { return table }
        guard let record = try CollectionCatalog.find(id, db) else { throw StoreError.notOpen }
        return try add(record)
    }

    func table(_ name: CollectionName) throws -> DocumentTable {
        guard let record = try CollectionCatalog.find(name, db) else { throw StoreError.noCollection(name) }
        return try tables[record.id] ?? add(record)
    }

    /// With its counters as they are now; `nil` if it is deleted.
    func record(of id: Int64) throws -> CollectionRecord? { try tables[id]?.record ?? CollectionCatalog.find(id, db) }

    /// - Throws: `.corruptData` where the next sequence is not known.
    private func add(_ record: CollectionRecord) throws -> DocumentTable {
        guard record.hasPossibleCounters else { throw StoreError.impossibleCounters(of: record.name.description) }
        let table = DocumentTable(record, transaction: self)
        tables[record.id] = table
        return table
    }

    func createCollection(_ name: CollectionName) throws -> CollectionRecord {
        if let record = try CollectionCatalog.find(name, db) { return record }
        return try CollectionCatalog.create(name, db)
    }

    func deleteCollection(_ name: CollectionName) throws {
        guard let record = try CollectionCatalog.find(name, db) else { return }
        tables[record.id] = nil
        releasedBlobs.formUnion(try blobReferences.all())
        hasPurged = true
        try CollectionCatalog.delete(record.id, db)
    }

    // MARK: Beside the documents

    /// A changed document is pushed again: refusals of its former revision no longer count.
    func clearOutbox(collection: Int64, documentID: String) throws {
        if outboxHasRows == nil {
            outboxHasRows = try RawStatement("SELECT 1 FROM outbox LIMIT 1", db).first { _ in true } ?? false
        }
        guard outboxHasRows == true else { return }
        let delete = try RawStatement("DELETE FROM outbox WHERE collection = ?1 AND document_id = ?2", db)
        delete.bind(1, to: collection)
        delete.bind(2, to: documentID)
        try delete.run()
    }

    /// One remote has accepted it after all.
    func clearOutbox(collection: Int64, documentID: String, remote: Int64) throws {
        let delete = try RawStatement(
            "DELETE FROM outbox WHERE collection = ?1 AND document_id = ?2 AND remote = ?3", db)
        delete.bind(1, to: collection)
        delete.bind(2, to: documentID)
        delete.bind(3, to: remote)
        try delete.run()
    }

    func outboxChanged() { outboxHasRows = nil }

    /// Whether the base of any document is kept. Most are those of edits that were not pushed yet, so there are none while
    /// thousands of new documents are acknowledged.
    func keepsBases() throws -> Bool {
        if let areBasesKept { return areBasesKept }
        let found = try RawStatement("SELECT 1 FROM base_bodies LIMIT 1", db).first { _ in true } ?? false
        areBasesKept = found
        return found
    }

    func baseIsKept() { areBasesKept = true }
}

/// Instants as the store keeps them.
struct StoreInstant: Sendable, Hashable {
    let nanoseconds: UInt64

    static var now: StoreInstant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        // A clock that was never set may be before 1970.
        guard time.tv_sec >= 0 else { return StoreInstant(nanoseconds: 0) }
        return StoreInstant(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension StoreError {
    static func noCollection(_ name: CollectionName) -> StoreError {
        StoreError(
            .notFound, message: "There is no such collection.", context: ["collection": name.description],
            hint: "Create it first, or check the spelling.")
    }
}
