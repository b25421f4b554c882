import DocumentValues

@testable import SyncProtocol

/// A client's store that has one document, takes whatever is pulled and keeps nothing of it. The answers follow from
/// the questions, so that an input always leads to the same.
struct ObedientStore {
    private static let own = RevisionID(generation: 2, digest: "own")

    mutating func perform(_ action: ActiveAction) -> (JobID, ActiveResult)? {
        switch action {
        case .readChanges(let job, _, let after, _, _): (job, changes(after))
        case .readRejections(let job, _): (job, .rejections(RepeatedChanges(refused: [])))
        case .loadRevisions(let job, _, let ids, _): (job, .revisions(ids.map { _ in Self.outgoing }))
        case .loadSources(let job, _, let sources):
            (job, .sources(sources.map { $0.documentID.isEmpty ? nil : Self.outgoing.body }))
        case .decideRows(let job, _, let rows): (job, .decided(rows.map(decision)))
        case .examine(let job, _, let revisions):
            (job, .examined(revisions.map { .accepted(missing: $0.body.named.map(\.digest.text)) }))
        case .insert(let job, _, let batch): (job, .inserted(batch.map(inserted)))
        case .purge(let job, _, let lost): (job, .purged(lost.map { $0.body == nil ? .notThere : .purged }))
        case .resolveConflicts(let job, _, let ids):
            (job, .resolved((ids ?? ["a"]).map { ResolvedConflict(documentID: $0, outcome: .remote) }))
        case .send, .markKnown, .recordRejection, .download, .saveLocalCheckpoint, .serveAttachment, .proveAttachment,
            .report, .status, .wakeUp, .close:
            nil
        }
    }

    private func changes(_ after: UInt64) -> ActiveResult {
        guard after < 5 else { return .changes([], through: after, isCaughtUp: true) }
        let change = LocalChange(sequence: 5, documentID: "a", revision: Self.own, bodySize: 10)
        return .changes([change], through: 5, isCaughtUp: true)
    }

    private static let outgoing = LocalRevision(
        documentID: "a", revision: own, history: RevisionHistory([RevisionID(generation: 1, digest: "first")]),
        isDeleted: false,
        body: Array(#"{"p":{"@type":"blob","digest":"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=","length":3}}"#.utf8),
        sequence: 5, hasBlobs: true)

    private func decision(_ row: AnnouncedRevision) -> RowDecision {
        switch row.documentID.utf8.count % 3 {
        case 0: .have
        case 1: .wanted(ancestors: [])
        default: .wanted(ancestors: [Self.own])
        }
    }

    private func inserted(_ revision: PulledRevision) -> InsertOutcome<SyncFailure> {
        switch revision.body.bytes.count % 5 {
        case 0: .alreadyThere
        case 1: .conflict
        case 2: .sameContent
        default: .inserted
        }
    }
}
