import DocumentValues
import GRDB
import SQLiteStorage

extension Database {
    /// The outbox: pushes that gateways have refused, of all gateways and collections.
    ///
    /// A document leaves it when it changes, is accepted or is purged. It is pushed again by itself now and then;
    /// ``Collection/offerAgain(id:)`` has the next replication do it, and ``Collection/revert(id:)`` gives the edits up.
    ///
    /// - Throws: `.notOpen` if the database is closed.
    public func rejectedPushes() throws -> [RejectedPush] { try core().read(OutboxTable.all) }

    /// Those of one document, of all gateways.
    ///
    /// - Throws: `.notOpen` if the database is closed.
    public func rejectedPushes(of id: String, in collection: Collection) throws -> [RejectedPush] {
        try rejectedPushes(of: id, in: collection.collectionName)
    }

    package func rejectedPushes(of id: String, in collection: CollectionName) throws -> [RejectedPush] {
        try core().read { db in try OutboxTable.entries(of: id, in: collection, db) }
    }

    /// Notes that a person knows of a refusal and leaves the document as it is; or takes that note back.
    ///
    /// - Parameter number: the entry's `id`, as ``rejectedPushes()`` gives it.
    /// - Throws: `.notFound` if there is no such entry; `.notOpen` if the database is closed, and `.busy`.
    public func acknowledgeRejection(_ number: Int64, isAcknowledged: Bool = true) throws {
        try core().write { transaction in
            let update = try RawStatement("UPDATE outbox SET is_acknowledged = ?2 WHERE number = ?1", transaction.db)
            update.bind(1, to: number)
            update.bind(2, to: isAcknowledged)
            try update.run()
            guard transaction.db.changesCount > 0 else {
                throw StoreError(
                    .notFound, message: "There is no such document in the outbox.", context: ["number": "\(number)"])
            }
        }
    }
}
