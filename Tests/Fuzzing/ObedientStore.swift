import DocumentValues

@testable import SyncProtocol

/// A client's store that has one document, takes whatever is pulled and keeps nothing of it. The answers follow from
/// the questions, so that an input always leads to the same.
struct ObedientStore {
    private static let own = RevisionID(generation: 2, digest: "own")

    mutating func perform(_ action: ActiveAction) -> (ActiveResult, collection: Int)? {
        switch action {
        case .readChanges(let collection, let after, _, _): (changes(after), collection)
        case .readRejections(let collection): (.rejections([]), collection)
        case .loadRevisions(let collection, let ids, _): (.revisions(ids.map { _ in Self.outgoing }), collection)
        case .loadSources(let collection, let sources):
            (.sources(sources.map { $0.documentID.isEmpty ? nil : Self.outgoing.body }), collection)
        case .decideRows(let collection, let rows): (.verdicts(rows.map(verdict)), collection)
        case .examine(let collection, let revisions):
            (.examined(revisions.map { .accepted(missing: $0.digests) }), collection)
        case .insert(let collection, let batch): (.inserted(batch.map(inserted)), collection)
        case .purge(let collection, let lost): (.purged(lost.map { $0.body == nil ? .notThere : .purged }), collection)
        case .resolveConflicts(let collection, let ids):
            (.resolved((ids ?? ["a"]).map { ResolvedConflict(documentID: $0, outcome: .remote) }), collection)
        case .send, .markKnown, .recordRejection, .download, .saveLocalCheckpoint, .serveAttachment, .proveAttachment,
            .report, .status, .wakeUp, .close:
            nil
        }
    }

    private func changes(_ after: UInt64) -> ActiveResult {
        guard after < 5 else { return .changes([], through: after, isCaughtUp: true) }
        let candidate = PushCandidate(sequence: 5, documentID: "a", revision: Self.own, bodySize: 10)
        return .changes([candidate], through: 5, isCaughtUp: true)
    }

    private static let outgoing = OutgoingRevision(
        sequence: 5, revision: own, history: RevisionHistory([RevisionID(generation: 1, digest: "first")]),
        isDeleted: false,
        body: Array(#"{"p":{"@type":"blob","digest":"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=","length":3}}"#.utf8),
        hasBlobs: true)

    private func verdict(_ row: AnnouncedRevision) -> RowVerdict {
        switch row.documentID.utf8.count % 3 {
        case 0: .have
        case 1: .wanted(ancestors: [])
        default: .wanted(ancestors: [Self.own])
        }
    }

    private func inserted(_ revision: ReceivedRevision) -> InsertVerdict {
        switch revision.body.count % 5 {
        case 0: .alreadyThere
        case 1: .conflict
        case 2: .sameContent
        default: .inserted
        }
    }
}
