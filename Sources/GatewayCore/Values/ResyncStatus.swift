import DocumentValues

/// How far a resync has come, as `GET _resync` shows it.
package struct ResyncStatus: Sendable, Hashable {
    package enum State: String, Sendable { case running, stopping, stopped, completed, error }

    package internal(set) var state: State
    package internal(set) var processed = 0
    package internal(set) var changed = 0
    /// Documents for which the sync function failed, or which would grant a user or role too much; they keep their
    /// channels and grants.
    package internal(set) var errored = 0
    package internal(set) var lastError = ""
    /// Documents that the sync function refused: they are in no channel, and are removed from all clients.
    package internal(set) var refused = 0
    let id: String
    let startTime: String
    let collections: [CollectionName]

    package var json: JSONObject {
        var scopes = JSONObject()
        for collection in collections {
            let names = scopes[collection.scope]?.arrayValue ?? []
            scopes[collection.scope] = .array(names + [.string(collection.name)])
        }
        var object: JSONObject = [
            "collections_processing": .object(scopes), "docs_changed": .int(changed),
            "docs_processed": .int(processed), "docs_errored": .int(errored), "last_error": .string(lastError),
            "resync_id": .string(id),
            "start_time": .string(startTime), "status": .string(state.rawValue),
        ]
        // Ours; Sync Gateway does not count them.
        object["docs_refused"] = .int(refused)
        object["warning"] = warning.map { .string($0) }
        return object
    }

    /// A warning for the administrator before the database goes online again.
    var warning: String? {
        guard refused > 0 else { return nil }
        return
            "The sync function refused \(refused) of \(processed) documents: they are in no channel now, and laptops "
            + "that have them will remove them. If that is not meant, set another function and resync again before the "
            + "database goes online"
    }

    /// Before the first one.
    static let never = ResyncStatus(state: .completed, id: "", startTime: "", collections: [])

    var isOver: Bool {
        switch state {
        case .running, .stopping: false
        case .stopped, .completed, .error: true
        }
    }
}

/// The options of `POST _resync`.
package struct ResyncRequest: Sendable, Hashable {
    /// `nil` for all.
    package var collections: [CollectionName]?
    /// Every document gets a new sequence, even one for which nothing changes.
    package var movesAll: Bool
    /// Goes on although the sync function fails for many documents.
    package var isForced: Bool

    package init(collections: [CollectionName]? = nil, movesAll: Bool = false, isForced: Bool = false) {
        self.collections = collections
        self.movesAll = movesAll
        self.isForced = isForced
    }
}
