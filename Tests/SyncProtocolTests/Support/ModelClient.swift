import BLIPProtocol
import DocumentValues
import NIOCore
import SyncModels

@testable import SyncProtocol

/// A client's store in memory, as simple as can be: what an active session asks of it.
struct ModelClient: ActiveStore {
    typealias Revision = ModelRevision

    struct Document {
        var current: Revision
        var sequence: UInt64
        var remote: RevisionID? { didSet { localRevision = nil } }
        /// Which revision here has the remote's content, where that is on another branch.
        var localRevision: RevisionID?
        /// The remote's revision, in conflict with the current one.
        var conflict: Revision?
        /// What the remote is known to have, with its body.
        var base: Revision?

        var chain: [RevisionID] { [current.id] + current.history.ancestors }
        var isKnownToRemote: Bool { (localRevision ?? remote) == current.id }
    }

    struct Collection {
        var documents: [String: Document] = [:]
        var lastSequence: UInt64 = 0
        var rejected: [String: RevisionID] = [:]
        var checkpoint: [UInt8]?
    }

    var collections: [Collection]
    /// Checkpoints of other replications of the same data.
    var checkpoints: [String: [UInt8]] = [:]
    var blobs: [String: [UInt8]] = [:]
    /// Edits that were never pushed, of documents that were purged.
    var quarantine: [String] = []
    var purgesLostDocuments = true
    /// As if no source of a difference that comes were there.
    var forgetsSources = false
    /// Ids for which the pull filter says no.
    var vetoed: Set<String> = []
    /// Of these the gateway's next revision brings what is here anyway.
    var repeated: Set<String> = []
    /// Reads no changes that a resolution has made, as a recorded client that left them to its next run.
    var postponesResolved = false
    private var resolvedSequences: [Int: UInt64] = [:]
    private var fetches: [UInt64: Fetch] = [:]

    private struct Fetch {
        var job: JobID
        var content: [UInt8] = []
    }

    /// What revision a resolution or an edit makes; the default rule of identity if empty.
    var nextRevisions: [String: [RevisionID]] = [:]

    init(collections count: Int) { collections = Array(repeating: Collection(), count: count) }

    // MARK: - Editing

    @discardableResult
    mutating func edit(_ id: String, in index: Int, body: String = "{}", isDeleted: Bool = false) -> RevisionID {
        let current = collections[index].documents[id]?.current
        return put(
            Self.child(of: current, body: Array(body.utf8), isDeleted: isDeleted, planned: plannedRevision(id)), id,
            index)
    }

    private mutating func plannedRevision(_ id: String) -> RevisionID? {
        guard nextRevisions[id]?.isEmpty == false else { return nil }
        return nextRevisions[id]?.removeFirst()
    }

    private static func child(
        of parent: Revision?, body: [UInt8], isDeleted: Bool, planned: RevisionID? = nil
    ) -> Revision {
        let id = planned ?? RevisionDigest.clientRevision(parent: parent?.id, body: body, isDeleted: isDeleted)
        let history = parent.map { $0.history.appending($0.id, limit: SyncLimits.maxHistory) } ?? RevisionHistory()
        return Revision(id: id, history: history, isDeleted: isDeleted, body: body)
    }

    @discardableResult
    private mutating func put(_ revision: Revision, _ id: String, _ index: Int) -> RevisionID {
        collections[index].lastSequence += 1
        let sequence = collections[index].lastSequence
        var document = collections[index].documents[id] ?? Document(current: revision, sequence: sequence)
        if document.isKnownToRemote { document.base = document.current }
        document.current = revision
        document.sequence = sequence
        collections[index].documents[id] = document
        collections[index].rejected[id] = nil
        return revision.id
    }

    /// The gateway has the document's current revision.
    mutating func share(_ id: String, in index: Int) {
        let current = collections[index].documents[id]?.current.id
        collections[index].documents[id]?.remote = current
    }

    /// The gateway has refused the document's current revision.
    mutating func reject(_ id: String, in index: Int) {
        let current = collections[index].documents[id]?.current.id
        collections[index].rejected[id] = current
    }

    /// Somebody has the document sent again as it is.
    mutating func offerAgain(_ id: String, in index: Int) {
        collections[index].lastSequence += 1
        let sequence = collections[index].lastSequence
        collections[index].documents[id]?.sequence = sequence
    }

    func live(in index: Int) -> [String: [UInt8]] {
        collections[index].documents.filter { !$0.value.current.isDeleted }.mapValues(\.current.body)
    }

    // MARK: - What a session asks

    mutating func readRefused(in index: Int) -> ActiveResult {
        let changes = collections[index].rejected.compactMap { id, revision -> LocalChange? in
            collections[index].documents[id].flatMap { $0.current.id == revision ? Self.change(id, $0) : nil }
        }
        return .refused(RepeatedChanges(refused: changes.sorted { $0.sequence < $1.sequence }))
    }

    mutating func loadRevisions(of ids: [String], in index: Int, withBases: Bool) -> ActiveResult {
        .revisions(
            ids.map { id in
                var outgoing = collections[index].documents[id].map { Self.outgoing(id, $0) }
                if withBases || outgoing?.hasBlobs == true, let remote = outgoing?.remoteRevision {
                    outgoing?.remoteBody = body(of: id, remote, index)
                }
                return outgoing
            })
    }

    mutating func loadSources(_ sources: [DeltaSource], in index: Int) -> ActiveResult {
        .sources(sources.map { forgetsSources ? nil : body(of: $0.documentID, $0.revision, index) })
    }

    mutating func markKnown(_ revisions: [AcknowledgedRevision], in index: Int) {
        for one in revisions { markKnown(one, index) }
    }

    mutating func noteRefusal(of candidate: PushCandidate, in index: Int, for failure: SyncFailure) {
        // Unless it has changed meanwhile.
        guard collections[index].documents[candidate.documentID]?.current.id == candidate.revision,
            [403, 409].contains(failure.code)
        else { return }
        collections[index].rejected[candidate.documentID] = candidate.revision
    }

    mutating func checkAnnounced(_ rows: [AnnouncedRevision], in index: Int) -> ActiveResult {
        .wanted(rows.map { decide($0, index) })
    }

    mutating func examine(_ revisions: [PulledRevision], in index: Int) -> ActiveResult {
        .examined(
            revisions.map { revision in
                vetoed.contains(revision.documentID)
                    ? .vetoed
                    : .accepted(missing: revision.body.named.map(\.digest.text).filter { blobs[$0] == nil })
            })
    }

    mutating func storeRevisions(_ revisions: [PulledRevision], in index: Int) -> ActiveResult {
        .stored(revisions.map { insert($0, index) })
    }

    mutating func purge(_ documents: [LostDocument], in index: Int) -> ActiveResult {
        .purged(documents.map { purge($0.documentID, index) })
    }

    mutating func resolveConflicts(of ids: [String]?, in index: Int) -> ActiveResult { .resolved(resolve(ids, index)) }

    mutating func saveCheckpoint(_ body: [UInt8], in index: Int) { collections[index].checkpoint = body }

    private func body(of id: String, _ revision: RevisionID, _ index: Int) -> [UInt8]? {
        let document = collections[index].documents[id]
        let known = [document?.current, document?.base, document?.conflict].compactMap { $0 }
        return known.first { $0.id == revision && !$0.isDeleted }?.body
    }

    mutating func readChanges(in index: Int, after: UInt64, limit: Int, includingKnown: Bool) -> ActiveResult {
        let collection = collections[index]
        let unknown = collection.documents.filter { _, document in
            document.sequence > after && (includingKnown || !document.isKnownToRemote)
        }.sorted { $0.value.sequence < $1.value.sequence }
        if let postponed = resolvedSequences[index] {
            let earlier = unknown.prefix { $0.value.sequence < postponed }
            return .changes(
                earlier.map { Self.change($0.key, $0.value) }, through: max(after, postponed - 1), isCaughtUp: true)
        }
        let batch = unknown.prefix(limit)
        let isCaughtUp = unknown.count < limit
        return .changes(
            batch.map { Self.change($0.key, $0.value) },
            through: isCaughtUp ? max(after, collection.lastSequence) : batch.last?.value.sequence ?? after,
            isCaughtUp: isCaughtUp)
    }

    private static func change(_ id: String, _ document: Document) -> LocalChange {
        LocalChange(
            sequence: document.sequence, documentID: id, revision: document.current.id,
            remoteRevision: document.remote, isDeleted: document.current.isDeleted,
            bodySize: document.current.body.count)
    }

    private static func outgoing(_ id: String, _ document: Document) -> LocalRevision {
        var outgoing = LocalRevision(
            documentID: id, revision: document.current.id, history: document.current.history,
            isDeleted: document.current.isDeleted, body: document.current.body, sequence: document.sequence,
            remoteRevision: document.remote, hasBlobs: mayContainBlobs(document.current.body),
            isKnownToRemote: document.isKnownToRemote)
        outgoing.isInConflict = document.conflict != nil
        if let remote = document.remote, !outgoing.isKnownToRemote, !outgoing.isInConflict,
            !document.current.history.contains(remote)
        {
            outgoing.branch = RevisionDigest.clientRevision(
                parent: remote, body: document.current.body, isDeleted: document.current.isDeleted)
        }
        return outgoing
    }

    private mutating func markKnown(_ known: AcknowledgedRevision, _ index: Int) {
        if let localRevision = known.localRevision {
            collections[index].documents[known.documentID]?.remote = known.revision
            collections[index].documents[known.documentID]?.localRevision = localRevision
            return
        }
        guard let document = collections[index].documents[known.documentID],
            let position = document.chain.firstIndex(of: known.revision)
        else { return }
        // An older revision than the one that is known already is no news.
        if let remote = document.remote, let old = document.chain.firstIndex(of: remote), old < position { return }
        collections[index].documents[known.documentID]?.remote = known.revision
        if position == 0 { collections[index].rejected[known.documentID] = nil }
    }

    private mutating func decide(_ row: AnnouncedRevision, _ index: Int) -> RowDecision {
        guard let document = collections[index].documents[row.documentID] else { return .wanted(ancestors: []) }
        if document.chain.contains(row.revision) {
            markKnown(AcknowledgedRevision(documentID: row.documentID, revision: row.revision), index)
            return .have
        }
        if document.conflict?.id == row.revision || document.remote == row.revision { return .have }
        let shared = document.remote.flatMap { document.chain.firstIndex(of: $0) }.map { document.chain[$0...] }
        let known = shared ?? document.chain[...]
        return .wanted(ancestors: Array(known.filter { row.revision.mayDescend(from: $0) }.prefix(10)))
    }

    private mutating func insert(_ received: PulledRevision, _ index: Int) -> InsertOutcome<SyncFailure> {
        let id = received.documentID
        let revision = Revision(
            id: received.revision, history: received.history, isDeleted: received.isDeleted, body: received.body.bytes)
        guard let document = collections[index].documents[id] else {
            put(revision, id, index)
            collections[index].documents[id]?.remote = revision.id
            return .inserted
        }
        if document.chain.contains(revision.id) {
            markKnown(AcknowledgedRevision(documentID: id, revision: revision.id), index)
            return .alreadyThere
        }
        collections[index].documents[id]?.remote = revision.id
        if repeated.contains(id) {
            collections[index].documents[id]?.localRevision = document.current.id
            return .sameContent
        }
        if revision.history.contains(document.current.id) {
            put(revision, id, index)
            collections[index].documents[id]?.conflict = nil
            return .inserted
        }
        // A revision that the remote has replaced leaves nothing of ours behind.
        if document.isKnownToRemote {
            put(revision, id, index)
            return .inserted
        }
        collections[index].documents[id]?.conflict = revision
        return .conflict
    }

    private mutating func purge(_ id: String, _ index: Int) -> PurgeVerdict {
        guard purgesLostDocuments else { return .kept }
        if vetoed.contains(id) { return .vetoed }
        guard let document = collections[index].documents.removeValue(forKey: id) else { return .notThere }
        if !document.isKnownToRemote { quarantine.append(id) }
        collections[index].rejected[id] = nil
        return .purged
    }

    /// A new connection reads all changes again.
    mutating func connectAgain(postponesResolved: Bool) {
        self.postponesResolved = postponesResolved
        resolvedSequences = [:]
    }

    private mutating func noteResolution(_ index: Int) {
        guard postponesResolved, resolvedSequences[index] == nil else { return }
        resolvedSequences[index] = collections[index].lastSequence
    }

    /// The default rule (§6.6).
    private mutating func resolve(_ ids: [String]?, _ index: Int) -> [ResolvedConflict] {
        let ids = ids ?? collections[index].documents.filter { $0.value.conflict != nil }.keys.sorted()
        return ids.compactMap { id in
            guard let document = collections[index].documents[id], let remote = document.conflict else { return nil }
            collections[index].documents[id]?.conflict = nil
            let local = document.current
            put(remote, id, index)
            if remote.isDeleted || local.isDeleted {
                if remote.isDeleted != local.isDeleted {
                    put(Self.child(of: remote, body: Array("{}".utf8), isDeleted: true), id, index)
                    noteResolution(index)
                }
                return ResolvedConflict(documentID: id, outcome: .deleted)
            }
            guard local.id.wins(over: remote.id) else { return ResolvedConflict(documentID: id, outcome: .remote) }
            put(
                Self.child(of: remote, body: local.body, isDeleted: false, planned: plannedRevision(id)), id, index)
            noteResolution(index)
            return ResolvedConflict(documentID: id, outcome: .local)
        }
    }
}

/// Blobs. What comes is kept under its digest, whatever was asked for.
extension ModelClient {
    func answer(_ digest: String, for number: UInt32, compresses: Bool) -> BLIPOutgoing {
        blobs[digest].map { .response(to: number, properties: [:], body: .bytes($0), isCompressed: compresses) }
            ?? .failure(to: number, BLIPErrorReply(domain: "LiteCore", code: 7))
    }

    func proof(_ digest: String, nonce: [UInt8], for number: UInt32) -> BLIPOutgoing {
        let proof = BlobDigest.proof(nonce: nonce, content: blobs[digest] ?? [])
        return .response(to: number, properties: [:], body: .bytes(Array(proof.text.utf8)), isCompressed: false)
    }

    mutating func beginFetch(_ request: GetAttachment, longest: UInt64, tag: UInt64, job: JobID) -> SyncFailure? {
        fetches[tag] = Fetch(job: job)
        return nil
    }

    mutating func received(_ bytes: ByteBuffer, tag: UInt64, isLast: Bool) -> FinishedFetch? {
        fetches[tag]?.content += Array(bytes.readableBytesView)
        guard isLast, let fetch = fetches.removeValue(forKey: tag) else { return nil }
        blobs[BlobDigest(of: fetch.content).text] = fetch.content
        return FinishedFetch(job: fetch.job, failure: nil)
    }

    mutating func fetchFailed(_ failure: SyncFailure, tag: UInt64) -> FinishedFetch? {
        fetches.removeValue(forKey: tag).map { FinishedFetch(job: $0.job, failure: failure) }
    }
}
