import DocumentStore
import DocumentValues
import FieldModels

/// The documents in which a laptop keeps the records that others have deleted, as they were; they are never exchanged.
struct DeletionPages {
    let collection: Collection

    /// The oldest first; without the time, which is the deletion's.
    func kept() throws -> [(key: String, record: DeletedRecord, size: Int)] {
        let keys = try collection.documentIDs()
        return zip(keys, try collection.bodies(of: keys)).compactMap {
            key, stored -> (key: String, record: DeletedRecord, size: Int)? in
            guard let stored, let page = DeletionPage(stored.body) else { return nil }
            let record = DeletedRecord(
                kind: page.kind, id: page.id, title: page.title, moment: Timestamp(secondsSince1970: 0),
                body: page.before, isTied: page.isTied, isSeen: page.isSeen)
            return (key, record, stored.body.count)
        }
    }

    func purge(_ key: String) throws { try collection.purge(id: key) }

    func forget(where isOver: (DeletedRecord) throws -> Bool) throws {
        for page in try kept() where try isOver(page.record) { try purge(page.key) }
    }

    /// Adds pages behind the last one.
    func add(_ bodies: [[UInt8]]) throws {
        let last = try collection.documentIDs().last.flatMap { DeletionPage.number(of: $0) } ?? 0
        try collection.save(bodies: bodies.enumerated().map { (DeletionPage.key(last + 1 + $0.offset), $0.element) })
    }

    /// Notes of those that a list has shown that a person has seen them.
    func noteSeen(_ records: Set<RecordReference>) throws {
        let keys = try collection.documentIDs()
        let seen = zip(keys, try collection.bodies(of: keys)).compactMap { key, stored -> (String, [UInt8])? in
            guard var page = stored.flatMap({ DeletionPage($0.body) }), !page.isSeen,
                records.contains(RecordReference(page.kind, id: page.id))
            else { return nil }
            page.isSeen = true
            return (key, page.body)
        }
        try collection.save(bodies: seen.filter { $0.1.count <= StoreLimits.documentBody })
    }
}
