import DocumentValues
import Logging
import SyncProtocol

extension GatewayDatabase {
    /// Reports the first document that no laptop can read: laptops only skip it, so there would be no other notice.
    ///
    /// - Parameter requests: the requests, each with its answer in `loaded`, as far as that goes.
    func noteDamage(in loaded: [LoadedRevision], of requests: [RevisionRequest], collection: CollectionName) {
        for (revision, request) in zip(loaded, requests) {
            guard case .found(_, _, _, let body, _) = revision, String(validating: body, as: UTF8.self) == nil else {
                continue
            }
            let id = request.documentID.shortened(toBytes: GatewayLimits.reportedID)
            guard store.damage.noteDamaged(document: "\(collection) \(id)") else { return }
            environment.logger.error(
                "A document is damaged, and no laptop can read it. Restore a backup: fieldbook-gateway restore --replace",
                metadata: ["db": "\(name)", "collection": "\(collection)", "doc": "\(id)"])
        }
    }
}
