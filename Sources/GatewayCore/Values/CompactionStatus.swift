import DocumentValues

/// How far a compaction has come, as `GET _compact` shows it.
package struct CompactionStatus: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Expired data. Tombstones stay: a client that was away for long has to be notified of them.
        case tombstone
        /// Also attachments that are kept for a while after their revision was replaced.
        case attachment
    }

    package enum State: String, Sendable { case running, stopping, stopped, completed, error }

    let kind: Kind
    package internal(set) var state: State
    package internal(set) var lastError = ""
    package internal(set) var purgedAttachments = 0
    let id: String
    let startTime: String

    /// The members are Sync Gateway's.
    package var json: JSONObject {
        var json: JSONObject = [
            "status": .string(state.rawValue), "start_time": .string(startTime), "last_error": .string(lastError),
        ]
        switch kind {
        case .tombstone: json["docs_purged"] = 0
        case .attachment:
            json["marked_attachments"] = 0
            json["purged_attachments"] = .int(purgedAttachments)
            json["compact_id"] = .string(id)
        }
        return json
    }

    /// Before the first one.
    static func never(_ kind: Kind) -> CompactionStatus {
        CompactionStatus(kind: kind, state: .completed, id: "", startTime: "0001-01-01T00:00:00Z")
    }

    var isOver: Bool {
        switch state {
        case .running, .stopping: false
        case .stopped, .completed, .error: true
        }
    }
}
