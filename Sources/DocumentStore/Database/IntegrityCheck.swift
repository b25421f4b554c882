import DocumentValues
import GRDB
import SQLiteStorage

/// A fault in a database.
package struct Damage: Sendable, Hashable {
    /// The location and kind of the fault, as part of a sentence.
    package let text: String
    /// An index can be built again: the documents are whole.
    package let isOfIndex: Bool
}

/// Checks the file and everything in it that a program could not check by reading its own documents.
struct IntegrityCheck {
    let core: StoreCore
    /// Called with each problem as soon as it is found: there may be as many as documents.
    let found: (Damage) -> Void

    func run() throws {
        try reading("the file") {
            try core.read { db in
                for problem in try String.fetchAll(db, sql: "PRAGMA integrity_check(20)") where problem != "ok" {
                    report(problem, isOfIndex: Self.isOfIndex(problem))
                }
            }
        }
        for name in try core.read(CollectionCatalog.impossibleNames) {
            report("the collection \(name) has a name that no collection can have")
        }
        for record in try core.read(CollectionCatalog.all) {
            try reading("the collection \(record.name)") { try core.snapshot { try check(record.id, $0) } }
        }
        try reading("the indexes") {
            for index in try core.damagedIndexes() { report("the index \(index) is damaged", isOfIndex: true) }
        }
        try reading("the quarantine") { try core.snapshot(checkQuarantine) }
        try reading("what refers to blobs") { try checkBlobs() }
    }

    private func report(_ text: String, isOfIndex: Bool = false) { found(Damage(text: text, isOfIndex: isOfIndex)) }

    /// `row 3 missing from index scores`
    private static func isOfIndex(_ problem: String) -> Bool {
        ["missing from index", "entries in index", "entry in index", "inverted index"].contains { problem.contains($0) }
    }

    /// A table that cannot be read is a problem like others; a database that is closed or locked is an error of the
    /// check.
    private func reading(_ what: String, body: () throws -> Void) throws {
        do { try body() } catch let error as StoreError where error.code == .corruptData || error.code == .ioError {
            report("\(what) cannot be read: \(error.message)")
        }
    }

    // MARK: Documents

    /// - Parameter id: of a collection, which may have been deleted since.
    private func check(_ id: Int64, _ db: GRDB.Database) throws {
        guard let record = try CollectionCatalog.find(id, db) else { return }
        var live: Int64 = 0
        let rows = try RawStatement(DocumentRowCoding.select(id, where: "1 ORDER BY sequence"), db)
        try rows.forEachRow { row in
            if !DocumentRowFlags(rawValue: row.int64(5)).contains(.deleted) { live += 1 }
            if let problem = problem(ofDocument: row, in: record) {
                report("the document \(row.text(1)) of \(record.name) \(problem)")
            }
        }
        if !record.hasPossibleCounters {
            report("\(record.name) has counters that no collection can reach")
        } else if live != record.liveDocuments {
            report("\(record.name) has \(live) documents but counts \(record.liveDocuments)")
        }
        try checkBases(of: record, db)
        try checkConflicts(of: record, db)
    }

    private func problem(ofDocument row: RawStatement, in record: CollectionRecord) -> String? {
        let document: CollectionDocument
        do { document = try DocumentRowCoding.read(row) } catch { return "has a revision that cannot be read" }
        if RevisionHistory(parsing: document.historyText) == nil { return "has a history that cannot be read" }
        if let problem = Self.problem(ofBody: document.body) { return problem }
        // The least is 1; a number below 0 is read as 0.
        return (1...max(1, record.lastSequence)).contains(document.sequence) ? nil : "has an impossible sequence"
    }

    private static func problem(ofBody body: [UInt8]) -> String? {
        do throws(JSONError) {
            _ = try JSONTopLevel(scanning: body)
            return nil
        } catch { return "has a body that cannot be read: \(error)" }
    }

    /// The versions with which local edits began.
    private func checkBases(of record: CollectionRecord, _ db: GRDB.Database) throws {
        let rows = try RawStatement("SELECT document_id, body FROM base_bodies WHERE collection = ?1", db)
        rows.bind(1, to: record.id)
        try rows.forEachRow { row in
            guard let problem = Self.problem(ofBody: row.bytes(1)) else { return }
            report("the version of \(row.text(0)) of \(record.name) that was edited \(problem)")
        }
    }

    private func checkConflicts(of record: CollectionRecord, _ db: GRDB.Database) throws {
        let rows = try RawStatement(
            "SELECT document_id, revision, history, body FROM conflicts WHERE collection = ?1", db)
        rows.bind(1, to: record.id)
        try rows.forEachRow { row in
            let isNamed = RevisionID(row.text(1)) != nil && RevisionHistory(parsing: row.text(2)) != nil
            let problem = isNamed ? Self.problem(ofBody: row.bytes(3)) : "has a history that cannot be read"
            if let problem { report("the conflict of \(row.text(0)) of \(record.name) \(problem)") }
        }
    }

    private func checkQuarantine(_ db: GRDB.Database) throws {
        let quarantine = QuarantineTable(db, sealer: core.blobs.sealer)
        for id in try RawStatement("SELECT id FROM quarantine ORDER BY id", db).all({ $0.int64(0) }) {
            do { _ = try quarantine.find(id) } catch let error as StoreError where error.code == .corruptData {
                report("the quarantined document \(id) cannot be read: \(error.message)")
            }
        }
    }

    // MARK: Blobs

    /// Read outside of the snapshot, which must not stay open for so long: blobs may be many gigabytes.
    private func checkBlobs() throws {
        var last = ""
        while true {
            let portion = try core.read { try BlobReferences(db: $0).names(after: last, limit: StoreLimits.readBatch) }
            guard let end = portion.last else { return }
            for name in portion { try checkBlob(name) }
            last = end
        }
    }

    private func checkBlob(_ name: String) throws {
        guard let digest = BlobDigest(name), let problem = try problem(of: digest) else { return }
        // The owners as they are now: a blob that was removed with its document is no damage.
        for owner in try core.snapshot({ try owners(of: digest, isMissing: problem == .missing, $0) }) {
            report("the blob \(digest) of \(owner) \(problem.rawValue)")
        }
    }

    private enum BlobProblem: String {
        case missing = "is missing"
        case damaged = "is damaged"
        case unreadable = "cannot be read"
    }

    private func problem(of digest: BlobDigest) throws -> BlobProblem? {
        do {
            guard let reader = try core.blobs.reader(for: digest) else { return .missing }
            defer { reader.close() }
            while try reader.read(upTo: StoreLimits.blobPortion) != nil {}
            return nil
        } catch let error as StoreError {
            guard core.isOpen else { throw error }
            return error.code == .corruptData ? .damaged : .unreadable
        }
    }

    /// - Parameter isMissing: leave out the owners that need not have the blob.
    private func owners(of digest: BlobDigest, isMissing: Bool, _ db: GRDB.Database) throws -> [String] {
        try BlobReferences(db: db).owners(of: digest).compactMap { reference in
            let name = try CollectionCatalog.find(reference.collection, db)?.name
            let collection = name.map { " of \($0)" } ?? ""
            switch reference.owner {
            case .document: return "the document \(reference.item)\(collection)"
            case .conflict: return isMissing ? nil : "the conflict of \(reference.item)\(collection)"
            case .quarantine: return isMissing ? nil : "the quarantined document \(reference.item)"
            }
        }
    }
}
