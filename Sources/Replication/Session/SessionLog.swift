import DocumentStore
import DocumentValues
import SyncProtocol

/// The log lines of a session, batch by batch.
struct SessionLog {
    private let names: [CollectionName]

    init(_ collections: [SessionConfiguration.Collection]) { names = collections.map(\.name) }

    /// An action that was carried out, with its immediate result.
    func note(_ action: ActiveAction, result: ActiveResult?) {
        switch action {
        case .readChanges(_, let index, let after, _, let includingKnown):
            noteChanges(result, of: index, after: after, includingKnown: includingKnown)
        case .readRefused(_, let index):
            guard case .refused(let changes)? = result, !changes.isEmpty else { return }
            verbose(index, message: "\(changes.count) documents that were refused or kept back are tried again")
        case .loadRevisions(_, let index, let ids, _): verbose(index, message: "Sending \(ids.count) revisions")
        case .markKnown(let index, let known): verbose(index, message: "The gateway has \(known.count) revisions")
        case .checkAnnounced(_, let index, let rows):
            guard case .wanted(let decisions)? = result else { return }
            let wanted = decisions.count(where: { if case .wanted = $0 { true } else { false } })
            verbose(index, message: "\(rows.count) revisions are announced, \(wanted) of them wanted")
        case .storeRevisions(_, let index, let batch):
            guard case .stored(let outcomes)? = result else { return }
            let conflicts = outcomes.filter { $0 == .conflict }.count
            let suffix = conflicts > 0 ? ", \(conflicts) in conflict" : ""
            verbose(index, message: "Stored \(batch.count) revisions\(suffix)")
        case .purge(_, let index, let documents):
            info(index, message: "Access to \(documents.count) documents is lost")
        case .saveLocalCheckpoint(let index, let body):
            verbose(index, message: "Checkpoint \(String(decoding: body, as: UTF8.self))")
        case .fetchAttachment(_, let index, let request, _, _):
            verbose(index, message: "Fetching blob \(request.digest)")
        case .serveAttachment(_, let digest, _): LibraryLog.replicator.verbose("Sending blob \(digest)")
        case .close(let code, _, let failure): noteClosing(code, failure: failure)
        case .noteRefusal(let index, let candidate, let failure):
            // The others make an event, and that a warning.
            guard candidate.isQuietRetry else { return }
            verbose(index, message: "\(Self.name(candidate)) is refused again: \(failure.message) (\(failure.code))")
        case .send, .report, .leaveOut, .status, .wakeUp, .loadSources, .examine, .resolveConflicts, .proveAttachment:
            break
        }
    }

    private func noteChanges(_ result: ActiveResult?, of index: Int, after: UInt64, includingKnown: Bool) {
        guard case .changes(let changes, _, let through, _)? = result else { return }
        verbose(index, message: "\(changes.count) changes to push after \(after), up to \(through)")
        guard includingKnown, after == 0 else { return }
        info(
            index, message: "All documents that the gateway seemed to have are proposed again: there is no checkpoint")
    }

    private func noteClosing(_ code: UInt16, failure: SyncFailure?) {
        if let failure, failure == .tooManyAnnounced {
            LibraryLog.replicator.warning("The gateway's announcements are refused: \(failure.message)")
        }
        LibraryLog.replicator.verbose("Closing with \(code)" + (failure.map { ": \($0)" } ?? ""))
    }

    func started(_ checkpoints: [[UInt8]?]) {
        for (index, body) in checkpoints.enumerated() {
            let text = body.map { String(decoding: $0, as: UTF8.self) } ?? "none"
            verbose(index, message: "The checkpoint here is \(text)")
        }
    }

    private static func name(_ candidate: PushCandidate) -> String {
        "'\(candidate.documentID.shortened(toScalars: ReplicationLimits.loggedID).withControlsEscaped)'"
    }

    private func verbose(_ index: Int, message: @autoclosure () -> String) {
        LibraryLog.replicator.verbose("\(names[index]): \(message())")
    }

    private func info(_ index: Int, message: @autoclosure () -> String) {
        LibraryLog.replicator.info("\(names[index]): \(message())")
    }
}
