import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels

@testable import SyncProtocol

/// A client's store that has one document, takes whatever is pulled and keeps nothing of it. The answers follow from
/// the questions, so that an input always leads to the same.
struct ObedientStore: ActiveStore {
    private static let own = RevisionID(generation: 2, digest: "own")

    /// By their requests' tags.
    private var fetches: [UInt64: JobID] = [:]

    func readChanges(in collection: Int, after sequence: UInt64, limit: Int, includingKnown: Bool) -> ActiveResult {
        guard sequence < 5 else { return .changes([], through: sequence, isCaughtUp: true) }
        let change = LocalChange(sequence: 5, documentID: "a", revision: Self.own, bodySize: 10)
        return .changes([change], through: 5, isCaughtUp: true)
    }

    func readRefused(in collection: Int) -> ActiveResult { .refused(RepeatedChanges(refused: [])) }

    func loadRevisions(of documentIDs: [String], in collection: Int, withBases: Bool) -> ActiveResult {
        .revisions(documentIDs.map { _ in Self.outgoing })
    }

    func loadSources(_ sources: [DeltaSource], in collection: Int) -> ActiveResult {
        .sources(sources.map { $0.documentID.isEmpty ? nil : Self.outgoing.body })
    }

    func checkAnnounced(_ rows: [AnnouncedRevision], in collection: Int) -> ActiveResult {
        .wanted(rows.map(decision))
    }

    func examine(_ revisions: [PulledRevision], in collection: Int) -> ActiveResult {
        .examined(revisions.map { .accepted(missing: $0.body.named.map(\.digest.text)) })
    }

    func storeRevisions(_ revisions: [PulledRevision], in collection: Int) -> ActiveResult {
        .stored(revisions.map(inserted))
    }

    func purge(_ documents: [LostDocument], in collection: Int) -> ActiveResult {
        .purged(documents.map { $0.body == nil ? .notThere : .purged })
    }

    func resolveConflicts(of documentIDs: [String]?, in collection: Int) -> ActiveResult {
        .resolved((documentIDs ?? ["a"]).map { ResolvedConflict(documentID: $0, outcome: .remote) })
    }

    // MARK: - Blobs

    func answer(_ digest: String, for number: UInt32, compresses: Bool) -> BLIPOutgoing {
        .response(to: number, properties: [:], body: .bytes(Self.outgoing.body), isCompressed: compresses)
    }

    func proof(_ digest: String, nonce: [UInt8], for number: UInt32) -> BLIPOutgoing {
        .response(to: number, properties: [:], body: .bytes(nonce), isCompressed: false)
    }

    mutating func beginFetch(_ request: GetAttachment, longest: UInt64, tag: UInt64, job: JobID) -> SyncFailure? {
        fetches[tag] = job
        return nil
    }

    mutating func received(_ bytes: ByteBuffer, tag: UInt64, isLast: Bool) -> FinishedFetch? {
        guard isLast else { return nil }
        return fetches.removeValue(forKey: tag).map { FinishedFetch(job: $0, failure: nil) }
    }

    mutating func fetchFailed(_ failure: SyncFailure, tag: UInt64) -> FinishedFetch? {
        fetches.removeValue(forKey: tag).map { FinishedFetch(job: $0, failure: failure) }
    }

    // MARK: - Answers

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
