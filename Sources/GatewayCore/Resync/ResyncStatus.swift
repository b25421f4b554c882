import DocumentValues

/// How far a resync has come, as `GET _resync` shows it.
package struct ResyncStatus: Sendable, Hashable {
    package enum State: String, Sendable { case running, stopping, stopped, completed, error }

    package internal(set) var state: State
    package internal(set) var processed = 0
    package internal(set) var changed = 0
    /// Documents for which the sync function failed; they keep their channels.
    package internal(set) var errored = 0
    package internal(set) var lastError = ""
    let id: String
    let startTime: String
    let collections: [CollectionName]

    package var json: JSONObject {
        var scopes = JSONObject()
        for collection in collections {
            let names = scopes[collection.scope]?.arrayValue ?? []
            scopes[collection.scope] = .array(names + [.string(collection.name)])
        }
        return [
            "collections_processing": .object(scopes), "docs_changed": .int(changed),
            "docs_processed": .int(processed), "docs_errored": .int(errored), "last_error": .string(lastError),
            "resync_id": .string(id),
            "start_time": .string(startTime), "status": .string(state.rawValue),
        ]
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

/// What `POST _resync` asks for.
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
