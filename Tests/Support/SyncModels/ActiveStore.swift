import DocumentValues
import SyncProtocol

/// Does an active session's jobs in memory, one method a job. A store does the jobs of its tests; the others have no
/// result.
package protocol ActiveStore: ActivePeerStore {
    mutating func readChanges(
        in collection: Int, after sequence: UInt64, limit: Int, includingKnown: Bool
    ) -> ActiveResult
    mutating func readRefused(in collection: Int) -> ActiveResult
    mutating func loadRevisions(of documentIDs: [String], in collection: Int, withBases: Bool) -> ActiveResult
    mutating func markKnown(_ revisions: [AcknowledgedRevision], in collection: Int)
    mutating func noteRefusal(of candidate: PushCandidate, in collection: Int, for failure: SyncFailure)
    mutating func checkAnnounced(_ rows: [AnnouncedRevision], in collection: Int) -> ActiveResult
    mutating func loadSources(_ sources: [DeltaSource], in collection: Int) -> ActiveResult
    mutating func examine(_ revisions: [PulledRevision], in collection: Int) -> ActiveResult
    mutating func storeRevisions(_ revisions: [PulledRevision], in collection: Int) -> ActiveResult
    mutating func purge(_ documents: [LostDocument], in collection: Int) -> ActiveResult
    mutating func resolveConflicts(of documentIDs: [String]?, in collection: Int) -> ActiveResult
    mutating func saveCheckpoint(_ body: [UInt8], in collection: Int)
}

extension ActiveStore {
    package mutating func markKnown(_ revisions: [AcknowledgedRevision], in collection: Int) {}
    package mutating func noteRefusal(of candidate: PushCandidate, in collection: Int, for failure: SyncFailure) {}
    package mutating func saveCheckpoint(_ body: [UInt8], in collection: Int) {}

    package var hasCrashed: Bool { false }

    package func failure(_ error: any Error) -> SyncFailure {
        SyncFailure(.liteCore, code: 0, message: "A store in memory cannot fail: \(error)")
    }

    package mutating func perform(_ action: ActiveAction) -> (JobID, ActiveResult)? {
        switch action {
        case .readChanges(let job, let index, let after, let limit, let includingKnown):
            return (job, readChanges(in: index, after: after, limit: limit, includingKnown: includingKnown))
        case .readRefused(let job, let index): return (job, readRefused(in: index))
        case .loadRevisions(let job, let index, let ids, let withBases):
            return (job, loadRevisions(of: ids, in: index, withBases: withBases))
        case .checkAnnounced(let job, let index, let rows): return (job, checkAnnounced(rows, in: index))
        case .loadSources(let job, let index, let sources): return (job, loadSources(sources, in: index))
        case .examine(let job, let index, let revisions): return (job, examine(revisions, in: index))
        case .storeRevisions(let job, let index, let revisions): return (job, storeRevisions(revisions, in: index))
        case .purge(let job, let index, let documents): return (job, purge(documents, in: index))
        case .resolveConflicts(let job, let index, let ids): return (job, resolveConflicts(of: ids, in: index))
        case .markKnown(let index, let revisions): markKnown(revisions, in: index)
        case .noteRefusal(let index, let candidate, let failure):
            noteRefusal(of: candidate, in: index, for: failure)
        case .saveLocalCheckpoint(let index, let body): saveCheckpoint(body, in: index)
        case .send, .fetchAttachment, .serveAttachment, .proveAttachment, .report, .leaveOut, .status, .wakeUp, .close:
            break
        }
        return nil
    }
}
