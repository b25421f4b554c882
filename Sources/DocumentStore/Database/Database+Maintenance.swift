import DocumentValues
import Foundation
import GRDB
import SQLiteStorage

extension Database {
    /// Keeps a database small, fast and intact.
    ///
    /// - Throws: `.corruptData` from `.integrityCheck`, with the damage that was found; `.invalidParameter` inside `inBatch`,
    ///   from all but `.integrityCheck`; `.notOpen` if the database is closed, and `.busy`.
    public func performMaintenance(type: MaintenanceType) throws {
        let core = try core()
        switch type {
        case .compact: try core.compact()
        case .reindex: try core.reindex()
        case .integrityCheck: try checkIntegrity()
        case .optimize: try core.withoutTransaction { try $0.execute(sql: "PRAGMA optimize") }
        case .fullOptimize: try core.withoutTransaction { try $0.execute(sql: "ANALYZE") }
        }
        LibraryLog.database.info("Maintenance of \(core.path) is done: \(type)")
    }

    /// Looks for damage as ``MaintenanceType/integrityCheck`` does, but does not stop at the first.
    ///
    /// - Parameter found: called with each problem as soon as it is found.
    package func check(found: @escaping (Damage) -> Void) throws {
        try IntegrityCheck(core: try core(), found: found).run()
    }

    private func checkIntegrity() throws {
        var first: [String] = []
        var count = 0
        var isOfIndexesAlone = true
        try check { damage in
            count += 1
            isOfIndexesAlone = isOfIndexesAlone && damage.isOfIndex
            if first.count < StoreLimits.shownProblems { first.append(damage.text) }
        }
        guard count > 0 else { return }
        throw StoreError(
            .corruptData, message: "The database is damaged: \(first.joined(separator: "; ")).",
            context: ["path": try core().folder.url.path, "problems": "\(count)"],
            hint: isOfIndexesAlone
                ? "The documents are whole: reindex."
                : "Keep a copy of the folder, then restore it from a backup or sync into a new one.")
    }
}

extension StoreCore {
    func compact() throws {
        try checkIsOutsideOfBatch()
        // What a batch has written that failed is in the log, and takes the room that the rest needs.
        try truncateLog()
        try openBlobs()
        try writeMakingRoom { transaction in
            try transaction.forgetFormerBlobReferences()
            let kept = try transaction.blobReferences.all()
            // Under the writer's lock: no document can begin to refer to a blob between the list and the removal.
            _ = try blobs.removeAll(
                except: kept, untouchedSince: Date(timeIntervalSinceNow: -StoreLimits.blobGracePeriod))
            try IndexCatalog.mergeFullText(transaction.db)
        }
        do { try makingRoom(rewriteFile) } catch let error as StoreError where error.code == .diskFull {
            throw StoreError.noRoomForSmallerFile(path)
        }
        try truncateLog()
        room.completeReserve()
    }

    /// Writes the file again, without its unused pages: all that is used goes through a temporary file and the log.
    private func rewriteFile() throws {
        try withoutTransaction { db in try db.vacuuming { try db.execute(sql: "VACUUM") } }
    }
}

extension WriteTransaction {
    /// Documents keep the references of their former revisions for a purge; compacting removes the blobs that no body
    /// names any more. Bodies are those of documents, of conflicts, and those from which edits started, which `revert`
    /// brings back.
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
