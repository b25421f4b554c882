import DocumentValues
import GRDB
import SQLiteStorage

/// Keeps edits that no remote ever got when their document is purged; sealed where the folder has a vault.
struct QuarantineTable {
    private let db: GRDB.Database
    private let sealer: (any RowSealer)?

    init(_ db: GRDB.Database, sealer: (any RowSealer)?) {
        self.db = db
        self.sealer = sealer
    }

    /// - Parameters:
    ///   - base: the revision that the remote has, and from which the edits began; `nil` where it has none.
    ///   - baseBody: its content, where that is known here. If the document comes back, it is compared with this.
    func keep(
        _ document: CollectionDocument, of collection: CollectionRecord, over base: RevisionID?, baseBody: [UInt8]?,
        remote: String, reason: String
    ) throws {
        let revision = KeptRevision(
            revision: document.revision, base: base, isDeleted: document.isDeleted, body: document.body,
            baseBody: base == nil ? nil : baseBody)
        let context = Self.context(collection.name, id: document.id)
        let insert = try RawStatement(
            """
            INSERT INTO quarantine
            (scope, collection, document_id, remote, reason, quarantined_at, is_sealed, revision)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """, db)
        insert.bind(1, to: collection.name.scope)
        insert.bind(2, to: collection.name.name)
        insert.bind(3, to: document.id)
        insert.bind(4, to: remote)
        insert.bind(5, to: reason)
        insert.bind(6, to: StoreInstant.now.seconds)
        insert.bind(7, to: sealer != nil)
        insert.bindBlob(8, to: try sealer?.seal(revision.bytes, context: context) ?? revision.bytes)
        try insert.run()
        try BlobReferences(db: db).add(
            try DocumentBody(scanned: document.body).digests, collection: 0, owner: .quarantine,
            item: "\(db.lastInsertedRowID)")
    }

    func all() throws -> [QuarantinedDocument] {
        try RawStatement("SELECT \(Self.columns) FROM quarantine ORDER BY id", db).all(read)
    }

    func all(of documentID: String, in collection: CollectionName) throws -> [QuarantinedDocument] {
        let query = try RawStatement(
            "SELECT \(Self.columns) FROM quarantine WHERE scope = ?1 AND collection = ?2 AND document_id = ?3 ORDER BY id",
            db)
        query.bind(1, to: collection.scope)
        query.bind(2, to: collection.name)
        query.bind(3, to: documentID)
        return try query.all(read)
    }

    /// Opens none of the entries, so damaged ones are counted, too.
    static func count(_ db: GRDB.Database) throws -> Int {
        Int(try RawStatement("SELECT count(*) FROM quarantine", db).first { $0.int64(0) } ?? 0)
    }

    func find(_ id: Int64) throws -> QuarantinedDocument? {
        let query = try RawStatement("SELECT \(Self.columns) FROM quarantine WHERE id = ?1", db)
        query.bind(1, to: id)
        return try query.first(read)
    }

    /// The sealed entries as they are in the table, for a person who has the key.
    func sealedRows() throws -> [(id: Int64, row: JSONObject)] {
        let query = try RawStatement("SELECT \(Self.columns) FROM quarantine WHERE is_sealed ORDER BY id", db)
        return try query.all { row in
            let object: JSONObject = [
                "scope": .string(row.text(1)), "collection": .string(row.text(2)), "documentID": .string(row.text(3)),
                "remote": .string(row.text(4)), "reason": .string(row.text(5)),
                "date": .number(JSONNumber(row.int64(6))), "sealed": .string(Base64.encode(row.bytes(8))),
            ]
            return (id: row.int64(0), row: object)
        }
    }

    /// Returns the blobs to which it referred.
    func remove(_ id: Int64) throws -> Set<BlobDigest> {
        let delete = try RawStatement("DELETE FROM quarantine WHERE id = ?1", db)
        delete.bind(1, to: id)
        try delete.run()
        return try BlobReferences(db: db).remove(collection: 0, owner: .quarantine, item: "\(id)")
    }

    private static let columns =
        "id, scope, collection, document_id, remote, reason, quarantined_at, is_sealed, revision"

    /// Binds a sealed row to its document, so that rows cannot be exchanged.
    private static func context(_ collection: CollectionName, id: String) -> String {
        "quarantine/\(collection)/\(id)"
    }

    private func read(_ row: RawStatement) throws -> QuarantinedDocument {
        let name = try CollectionName(scope: row.text(1), name: row.text(2))
        let id = row.text(3)
        var bytes = row.bytes(8)
        if row.int64(7) != 0 {
            guard let sealer else {
                throw StoreError(
                    .wrongAttachmentStorage, message: "The quarantined document is sealed.", context: ["document": id],
                    hint: "Open the folder with its attachment key.")
            }
            bytes = try sealer.open(bytes, context: Self.context(name, id: id))
        }
        let kept = try KeptRevision(bytes, documentID: id)
        return QuarantinedDocument(
            id: row.int64(0), collection: name, documentID: id, revision: kept.revision, base: kept.base,
            isDeleted: kept.isDeleted, body: kept.body, baseBody: kept.baseBody,
            remote: row.text(4), reason: row.text(5), date: row.double(6) ?? 0)
    }
}

/// The part of a quarantined document that is sealed: `REVISION`, `REVISION BASE` or `REVISION BASE LENGTH`, `+` or `-`
/// (deleted), and the body; where that has a LENGTH, the base's body is behind it.
private struct KeptRevision {
    let revision: RevisionID
    let base: RevisionID?
    let isDeleted: Bool
    let body: [UInt8]
    let baseBody: [UInt8]?

    init(revision: RevisionID, base: RevisionID?, isDeleted: Bool, body: [UInt8], baseBody: [UInt8]?) {
        self.revision = revision
        self.base = base
        self.isDeleted = isDeleted
        self.body = body
        self.baseBody = baseBody
    }

    init(_ bytes: [UInt8], documentID: String) throws {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        let head = parts[0].split(separator: 0x20, maxSplits: 2).map { String(decoding: $0, as: UTF8.self) }
        let length = head.count > 2 ? Int(head[2]) : parts.last?.count
        guard parts.count == 3, let revision = head.first.flatMap({ RevisionID($0) }), let length,
            (0...parts[2].count).contains(length)
        else {
            throw StoreError(
                .corruptData, message: "A quarantined document cannot be read.", context: ["document": documentID])
        }
        self.init(
            revision: revision, base: head.dropFirst().first.flatMap { RevisionID($0) },
            isDeleted: parts[1].elementsEqual("-".utf8), body: Array(parts[2].prefix(length)),
            baseBody: head.count > 2 ? Array(parts[2].dropFirst(length)) : nil)
    }

    var bytes: [UInt8] {
        let head = [revision.description, base?.description, baseBody.map { _ in String(body.count) }]
        let line = head.compactMap(\.self).joined(separator: " ")
        return Array("\(line)\n\(isDeleted ? "-" : "+")\n".utf8) + body + (baseBody ?? [])
    }
}
