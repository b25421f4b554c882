import DocumentValues
import GRDB
import SyncFunction
import Synchronization

/// One run over the documents of some collections, a few at a time.
struct ResyncRun: Sendable {
    let database: GatewayDatabase
    let setup: DatabaseSetup
    let collections: [DatabaseSetup.Collection]
    let movesAll: Bool

    /// Until the end, or until it is to stop. What is done stays done: each transaction leaves everything right.
    func run() async throws {
        for collection in collections {
            var last: Int64 = 0
            while try proceeds() {
                let documents = try await read(collection, after: last)
                guard let end = documents.last?.number else { break }
                try await work(documents, collection)
                last = end
            }
        }
    }

    private func proceeds() throws -> Bool {
        try Task.checkCancellation()
        return database.resync.withLock { $0.status.state == .running }
    }

    private func read(_ collection: DatabaseSetup.Collection, after last: Int64) async throws -> [StoredDocument] {
        let number = collection.number
        return try await database.store.read { db in
            try StoredDocument.fetch(in: number, after: last, limit: GatewayLimits.resyncBatch, db)
        }
    }

    /// What the current revision replaced, as Sync Gateway has it: for as long as it is remembered.
    private func parent(of document: StoredDocument, _ collection: DatabaseSetup.Collection) -> [UInt8]? {
        guard let parent = document.tree.history(of: document.revision).ancestors.first else { return nil }
        let key = RevisionCache.Key(collection: collection.number, id: document.id, revision: parent)
        return database.revisions[key].map { entry in
            WritePlan.marked(entry.body, id: document.id, revision: nil, isDeleted: entry.isDeleted)
        }
    }

    /// A document that somebody changed meanwhile (its time was over) was given its channels by that.
    private func work(_ documents: [StoredDocument], _ collection: DatabaseSetup.Collection) async throws {
        let keyspace = "\(database.name).\(collection.name)"
        let calls = documents.map { document in
            SyncFunctionCall(
                function: collection.function,
                document: WritePlan.marked(
                    document.body, id: document.id, revision: document.revision, isDeleted: document.isDeleted),
                oldDocument: parent(of: document, collection), time: self.setup.configuration.syncFunctionTime,
                keyspace: keyspace)
        }
        let outcomes = try await database.environment.syncFunctions.run(calls)
        guard outcomes.count == calls.count else { throw GatewayError(500, "A sync function did not answer") }
        let expiries = outcomes.map { Expiry.time($0.expiry, now: database.now) }
        let (setup, number, cache, movesAll) = (setup, collection.number, database.revisions, movesAll)
        let now = database.now
        let changed = try await database.store.write { transaction in
            let writer = DocumentWriter(transaction, setup: setup, collection: number, cache: cache, now: now)
            var changed = 0
            for (index, document) in documents.enumerated() {
                // A document that the function refuses is in no channel and grants nothing.
                let outcome = outcomes[index].rejection == nil ? outcomes[index] : SyncFunctionOutcome()
                if try writer.settle(document, outcome, expires: expiries[index], movesAlways: movesAll) {
                    changed += 1
                }
            }
            return changed
        }
        database.resync.withLock { resync in
            resync.status.processed += documents.count
            resync.status.changed += changed
        }
    }
}
