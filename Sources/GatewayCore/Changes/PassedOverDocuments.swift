import DocumentValues
import Logging
import Synchronization
import SyncProtocol

/// Documents that are not announced to sync clients, because none could read them. Each is logged once while the database is
/// open, although every client's feed comes across it.
final class PassedOverDocuments: Sendable {
    private struct Key: Hashable {
        let collection: CollectionName
        let documentID: Name
    }

    private let known = Mutex<Set<Key>>([])

    func note(_ rows: [ChangeRow], in collection: CollectionName, of database: String, logger: Logger) {
        for row in rows {
            guard let obstacle = row.obstacle, noteNew(Key(collection: collection, documentID: Name(row.documentID)))
            else { continue }
            let id = row.documentID.shortened(toBytes: GatewayLimits.reportedID)
            logger.warning(
                """
                A document is not sent to sync clients: \(obstacle). Write it again under another id, and delete this one
                """, metadata: ["db": "\(database)", "collection": "\(collection)", "doc": "\(id)"])
        }
    }

    /// - Returns: false for a document that is noted already, or for which there is no room.
    private func noteNew(_ key: Key) -> Bool {
        known.withLock { $0.count < GatewayLimits.passedOverDocuments && $0.insert(key).inserted }
    }
}
