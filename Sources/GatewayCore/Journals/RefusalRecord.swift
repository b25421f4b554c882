import AccessControl
import DocumentValues
import Logging
import Synchronization

/// The last refusals of a database, kept in a file beside it over restarts.
package final class RefusalRecord: Sendable {
    static let fileName = "refusals.json"

    private let history: KeptState<RefusalHistory>
    private let pace = Mutex(LogPace(limit: GatewayLimits.refusalsLogged))

    /// Begins with the content of the file; a damaged one is put aside.
    ///
    /// - Throws: if the file exists and cannot be read.
    init(folder: String, logger: Logger) throws(GatewayError) {
        let file = KeptFile(folder: folder, name: Self.fileName)
        var known = RefusalHistory()
        for object in try file.objects(atMost: GatewayLimits.refusals, logger: logger) {
            guard let time = object["at"]?.stringValue.flatMap(KeptTime.seconds),
                let refused = RefusedDocument(object, time: time)
            else { continue }
            known.add(refused)
        }
        history = KeptState(known, in: file)
    }

    /// Oldest first.
    package var entries: [RefusedDocument] { history.value.entries }

    /// Whether a user's document was refused lately.
    func holds(document: String, collection: CollectionName, user: String?) -> Bool {
        history.value.holds(document: document, collection: collection, user: user)
    }

    /// - Returns: whether to write it into the logs, too.
    func add(_ refused: RefusedDocument) -> LogPace.Verdict {
        history.change { $0.add(refused) }
        // Those of the admin port have no user; no real user has an empty name.
        return pace.withLock { $0.note(Name(refused.user ?? ""), at: refused.time) }
    }

    /// Forgets purged documents here, too.
    func forget(documents ids: [String], in collection: CollectionName) {
        let ids = Set(ids.map { Name($0) })
        history.change { history in
            history.remove { ids.contains(Name($0.document)) && $0.collection.isExactly("\(collection)") }
        }
    }

    func save() throws(GatewayError) { try history.save { $0.entries.map(\.json) } }

    /// The last write of the file.
    func end() throws(GatewayError) { try history.end { $0.entries.map(\.json) } }
}
