import DocumentValues
import Fieldbook
import FieldShell
import Foundation
import Synchronization

/// Writes the reports of a replicator: for programs one JSON object a line, for people a few lines on standard error.
final class ReplicationEvents: Sendable {
    private struct Counts {
        var pushed = 0
        var pulled = 0
        var failed = 0
        /// The errors that were reported since the last connection: each failed attempt has the same ones.
        var reported: Set<Name> = []
    }

    private let isJSON: Bool
    private let counts = Mutex(Counts())

    init(isJSON: Bool) { self.isJSON = isJSON }

    func listen(to replicator: Replicator) -> [ListenerToken] {
        [
            replicator.addDocumentReplicationListener { self.documents($0) },
            replicator.addConflictListener { self.conflict($0) },
            replicator.addChangeListener { self.status($0.status) },
        ]
    }

    func finish(after duration: Duration) {
        let counts = counts.withLock { $0 }
        let milliseconds = duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
        guard isJSON else {
            return StandardOutput.message(
                "\(counts.pushed) pushed, \(counts.pulled) pulled, \(counts.failed) failed in \(milliseconds) ms")
        }
        write([
            "event": "result", "pushed": .int(counts.pushed), "pulled": .int(counts.pulled),
            "failed": .int(counts.failed), "milliseconds": .int(milliseconds),
        ])
    }

    // MARK: - Events

    private func status(_ status: Replicator.Status) {
        let activity = "\(status.activity)"
        guard isJSON else {
            // At the end, the summary has the numbers, and the command reports the error.
            if status.activity == .stopped { return }
            return report(activity, status: status)
        }
        var event: JSONObject = [
            "event": "status", "activity": .string(activity),
            "completed": .number(JSONNumber(status.progress.completed)),
            "total": .number(JSONNumber(status.progress.total)),
        ]
        event["error"] = status.error.map { Self.error($0) }
        write(event)
    }

    private func report(_ activity: String, status: Replicator.Status) {
        let progress = status.progress.total == 0 ? "" : " \(status.progress.completed)/\(status.progress.total)"
        let line = activity + progress + (status.error.map { ": \(Self.text($0))" } ?? "")
        let isConnected = status.activity == .busy || status.activity == .idle
        let isNews = counts.withLock { counts in
            if isConnected { counts.reported.formIntersection([Name(line)]) }
            return counts.reported.insert(Name(line)).inserted
        }
        if isNews { StandardOutput.message(line.printableLine) }
    }

    /// The message and the hint as two sentences.
    static func text(_ error: any Error) -> String {
        guard let error = error as? ReplicationError else { return "\(error)" }
        let isSentence = error.message.last.map { ".!?".contains($0) } ?? true
        return error.message + (isSentence ? "" : ".") + (error.hint.map { " \($0)" } ?? "")
    }

    private func documents(_ replication: DocumentReplication) {
        let failed = replication.documents.count { $0.error != nil }
        let passed = replication.documents.count - failed
        counts.withLock { counts in
            counts.failed += failed
            if replication.isPush { counts.pushed += passed } else { counts.pulled += passed }
        }
        guard isJSON else { return failures(replication) }
        StandardOutput.lines(replication.documents.lazy.map { Self.line($0, isPush: replication.isPush).printableJSON })
    }

    private func failures(_ replication: DocumentReplication) {
        let verb = replication.isPush ? "pushed" : "pulled"
        for document in replication.documents {
            guard let error = document.error else { continue }
            let line = "\(document.scope).\(document.collection) \(document.id) was not \(verb): \(Self.text(error))"
            StandardOutput.message(line.printableLine)
        }
    }

    private static func line(_ document: ReplicatedDocument, isPush: Bool) -> String {
        var flags: [JSONValue] = []
        if document.flags.contains(.deleted) { flags.append("deleted") }
        if document.flags.contains(.accessRemoved) { flags.append("accessRemoved") }
        var event: JSONObject = [
            "event": "document", "direction": isPush ? "push" : "pull",
            "collection": .string("\(document.scope).\(document.collection)"),
            "id": .string(document.id), "flags": .array(flags),
        ]
        event["error"] = document.error.map { error($0) }
        return event.description
    }

    private func conflict(_ conflict: ResolvedDocumentConflict) {
        guard isJSON else {
            return StandardOutput.message(
                "\(conflict.scope).\(conflict.collection) \(conflict.id) was in conflict: \(conflict.winner.rawValue) wins"
            )
        }
        write([
            "event": "conflict", "collection": .string("\(conflict.scope).\(conflict.collection)"),
            "id": .string(conflict.id), "winner": .string(conflict.winner.rawValue),
        ])
    }

    private static func error(_ error: any Error) -> JSONValue {
        guard let error = error as? ReplicationError else { return ["message": .string("\(error)")] }
        return [
            "domain": .string(error.domain), "code": .int(error.code), "message": .string(error.message),
        ]
    }

    private func write(_ event: JSONObject) { StandardOutput.json(event.description) }
}
