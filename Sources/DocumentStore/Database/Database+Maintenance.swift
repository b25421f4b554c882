import DocumentValues
import Foundation
import GRDB
import SQLiteStorage

extension Database {
    /// Work that keeps a database small, fast and trusted.
    ///
    /// - Throws: `.corruptData` from `.integrityCheck`, with what was found.
    public func performMaintenance(type: MaintenanceType) throws {
        let core = try core()
        switch type {
        case .compact: try core.compact()
        case .reindex: try core.withoutTransaction { try $0.execute(sql: "REINDEX") }
        case .integrityCheck: try IntegrityCheck(core: core).run()
        case .optimize: try core.withoutTransaction { try $0.execute(sql: "PRAGMA optimize") }
        case .fullOptimize: try core.withoutTransaction { try $0.execute(sql: "ANALYZE") }
        }
        LibraryLog.database.info("Maintenance of \(core.path) is done: \(type)")
    }
}

extension StoreCore {
    func compact() throws {
        try checkIsOutsideOfBatch()
        try writeMakingRoom { transaction in
            try transaction.forgetFormerBlobReferences()
            let kept = try transaction.blobReferences.all()
            // Under the writer's lock: nobody can come to refer to a blob between the list and the removal.
            _ = try blobs.removeAll(
                except: kept, untouchedSince: Date(timeIntervalSinceNow: -StoreLimits.blobGracePeriod))
            try IndexCatalog.mergeFullText(transaction.db)
        }
        try withoutTransaction { try $0.execute(sql: "VACUUM") }
        try truncateLog()
    }
}

extension WriteTransaction {
    /// Documents keep the references of their former revisions for a purge; compacting gives those blobs up that are in no
    /// body any more: in no document's, in none that edits started from, which `revert` brings back, and in no conflict's.
    fileprivate func forgetFormerBlobReferences() throws {
        for record in try CollectionCatalog.all(db) {
            let reader = CollectionReader(db: db, record: record)
            try keepBlobReferences(of: .document, in: record.id) { id in
                [try reader.find(id)?.body, try reader.base(of: id)?.body].compactMap(\.self)
            }
            try keepBlobReferences(of: .conflict, in: record.id) { id in
                try ConflictTable(db: db, collection: record.id).bodies(of: id)
            }
        }
    }

    /// - Parameter bodies: of the document with an id.
    private func keepBlobReferences(
        of owner: BlobOwner, in collection: Int64, bodies: (String) throws -> [[UInt8]]
    ) throws {
        let query = try RawStatement(
            "SELECT DISTINCT item FROM blob_references WHERE collection = ?1 AND owner = ?2", db)
        query.bind(1, to: collection)
        query.bind(2, to: owner.rawValue)
        for id in try query.all({ $0.text(0) }) {
            _ = try blobReferences.remove(collection: collection, owner: owner, item: id)
            for body in try bodies(id) {
                try blobReferences.add(
                    try DocumentBody(scanned: body).digests, collection: collection, owner: owner, item: id)
            }
        }
    }
}

/// Checks the file and everything in it that a program could not check by reading its own documents.
private struct IntegrityCheck {
    let core: StoreCore

    func run() throws {
        var problems = try core.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }.filter {
            $0 != "ok"
        }
        problems += try core.snapshot { db in
            try CollectionCatalog.all(db).flatMap { try check($0, db) } + missingBlobs(db)
        }
        problems += try damagedBlobs()
        guard problems.isEmpty else {
            throw StoreError(
                .corruptData, message: "The database is damaged: \(problems.prefix(5).joined(separator: "; ")).",
                context: ["path": core.folder.url.path, "problems": "\(problems.count)"],
                hint: "Keep a copy of the folder, then restore it from a backup or sync into a new one.")
        }
    }

    private func check(_ record: CollectionRecord, _ db: GRDB.Database) throws -> [String] {
        var problems: [String] = []
        var live: Int64 = 0
        let rows = try RawStatement(DocumentRows.select(record.id, where: "1 ORDER BY sequence"), db)
        defer { rows.reset() }
        while try rows.step() {
            let document = try DocumentRows.read(rows)
            if !document.isDeleted { live += 1 }
            if (try? JSONTopLevel(scanning: document.body)) == nil || (try? document.history) == nil {
                problems.append("document \(document.id) of \(record.name) cannot be read")
            }
            if document.sequence > record.lastSequence {
                problems.append("document \(document.id) of \(record.name) has an impossible sequence")
            }
        }
        if live != record.liveDocuments {
            problems.append("\(record.name) has \(live) documents but counts \(record.liveDocuments)")
        }
        return problems
    }

    private func missingBlobs(_ db: GRDB.Database) throws -> [String] {
        let query = try RawStatement(
            "SELECT DISTINCT item, digest FROM blob_references WHERE owner = ?1", db)
        query.bind(1, to: BlobOwner.document.rawValue)
        return try query.all { ($0.text(0), $0.text(1)) }.compactMap { item, digest in
            guard let digest = BlobDigest(digest), try !core.blobs.contains(digest) else { return nil }
            return "the blob \(digest) of document \(item) is missing"
        }
    }

    /// Read to their end outside of the state that is checked: all of them may be many gigabytes, and one that has gone since
    /// is no damage.
    private func damagedBlobs() throws -> [String] {
        let digests = try core.read { db in
            let query = try RawStatement("SELECT DISTINCT digest FROM blob_references WHERE owner = ?1", db)
            query.bind(1, to: BlobOwner.document.rawValue)
            return try query.all { $0.text(0) }
        }
        return try digests.compactMap { BlobDigest($0) }.filter(isDamaged).map { "the blob \($0) is damaged" }
    }

    private func isDamaged(_ digest: BlobDigest) throws -> Bool {
        do {
            guard let reader = try core.blobs.reader(for: digest) else { return false }
            defer { reader.close() }
            while try reader.read(upTo: StoreLimits.blobPortion) != nil {}
            return false
        } catch let error as StoreError where error.code == .corruptData {
            return true
        }
    }
}
