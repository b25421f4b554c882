import DocumentValues
import SQLiteStorage

/// A stored document as its JSON.
package struct StoredBody: Sendable, Hashable {
    /// `{}` for a tombstone without content.
    package let body: [UInt8]
    package let isDeleted: Bool
}

/// A stored document where SQLite has it, valid until the next one.
package struct StoredBytes {
    private let row: RawStatement

    init(_ row: RawStatement) { self.row = row }

    package var id: String { row.text(0) }
    package var idBytes: UnsafeRawBufferPointer { row.buffer(0) }
    /// JSON, in the spelling in which it was stored.
    package var json: UnsafeRawBufferPointer { row.buffer(1) }
}

/// For layers that have types of their own for documents: JSON in, JSON out, many documents at once. A `Document` has a
/// tree of nodes, which would be made and thrown away for each of 60,000 records.
extension Collection {
    /// Calls `body` for every live document in the order of the ids, in portions, so that memory stays bounded.
    package func forEachBody(_ body: (_ id: String, _ json: [UInt8]) throws -> Void) throws {
        var last = ""
        while true {
            let portion = try read { try $0.bodies(after: last, limit: StoreLimits.readBatch) }
            guard let end = portion.last else { return }
            for (id, json) in portion { try body(id, json) }
            last = end.id
        }
    }

    /// Calls `body` for every live document of one state of the database, the oldest change first, without copying anything.
    /// `body` must not call the database.
    package func forEachStoredBody(_ body: (StoredBytes) throws -> Void) throws {
        try read { try $0.forEachBody { try body(StoredBytes($0)) } }
    }

    /// Calls `body` with the remote's version of every live document that a remote has. A version that is not kept here
    /// is left out.
    package func forEachSentBody(_ body: (_ json: [UInt8]) throws -> Void) throws {
        var last = ""
        while true {
            // Of one state: an edit that is acknowledged in between would leave neither version to be found.
            let (sent, end) = try read { reader -> ([[UInt8]], String?) in
                let portion = try reader.documents(after: last, limit: StoreLimits.readBatch)
                return (try portion.filter(\.isVisible).compactMap { try reader.sentBody(of: $0) }, portion.last?.id)
            }
            for json in sent { try body(json) }
            guard let end else { return }
            last = end
        }
    }

    func forEachVisible(_ body: (CollectionDocument) throws -> Void) throws {
        var last = ""
        while true {
            let portion = try read { try $0.documents(after: last, limit: StoreLimits.readBatch) }
            guard let end = portion.last else { return }
            for stored in portion where stored.isVisible { try body(stored) }
            last = end.id
        }
    }

    /// Calls `body` for every document that was stored after the change `sequence`, the oldest change first; with `nil`
    /// for one that is deleted or expired. Purged documents are not reported.
    ///
    /// - Returns: the sequence from which the next call goes on.
    package func forEachBody(
        changedAfter sequence: UInt64, _ body: (_ id: String, _ json: [UInt8]?) throws -> Void
    ) throws -> UInt64 {
        var last = sequence
        while true {
            let portion = try read { try $0.documents(changedAfter: last, limit: StoreLimits.readBatch) }
            guard let end = portion.last else { return last }
            for stored in portion { try body(stored.id, stored.isVisible ? stored.body : nil) }
            last = end.sequence
        }
    }

    /// The number of the last change; 0 where nothing was stored yet. For a caller that reads all documents in another
    /// way first, and then only follows the changes.
    package func lastSequence() throws -> UInt64 { try read { $0.record.lastSequence } }

    /// Ids of documents that were deleted here or by a remote; in no order.
    package func deletedIDs() throws -> Set<Name> { Set(try read { try $0.tombstones() }.map { Name($0) }) }

    /// One entry for each id, tombstones included.
    package func bodies(of ids: [String]) throws -> [StoredBody?] {
        try read { reader in
            try ids.map { id in
                try reader.find(id).map { StoredBody(body: $0.body, isDeleted: $0.isDeleted) }
            }
        }
    }

    /// The body from which a document's local edits started (a deletion is an edit, too); `nil` where none is kept.
    package func baseBody(of id: String) throws -> [UInt8]? { try read { try $0.base(of: id)?.body } }

    /// Saves documents as local edits, all in one transaction; the last save wins. The blobs they refer to must be
    /// stored already.
    package func save(bodies: [(id: String, body: [UInt8])]) throws {
        try database.core().write { transaction in
            let table = try transaction.table(number)
            for (id, body) in bodies {
                guard DocumentIDRules.isValid(id) else {
                    throw StoreError(
                        .badDocumentID,
                        message: "A document id has 1 to 240 bytes, no control characters and no '_' in front.",
                        context: ["document": id])
                }
                _ = try table.edit(id, to: EditedContent(parsing: body), over: try table.findPresent(id))
            }
        }
    }
}

extension CollectionReader {
    /// The remote's version of a document that a remote has; `nil` where none has it, and where it is not kept here.
    fileprivate func sentBody(of stored: CollectionDocument) throws -> [UInt8]? {
        guard !stored.remotes.isEmpty else { return nil }
        return stored.remotes.contains(stored.revision) ? stored.body : try base(of: stored.id)?.body
    }
}
