import BLIPProtocol
import DocumentStore
import DocumentValues
import NIOCore
import SyncModels
import SyncProtocol

@testable import Replication

/// A client's real database as its session uses it, with a look at each step whether it did what a model of it would.
struct ClientStore: ActivePeerStore {
    let session: SessionStore
    let client: SimulatedClient
    private var transfers: BlobTransfers

    init(_ session: SessionStore, client: SimulatedClient) {
        self.session = session
        self.client = client
        transfers = BlobTransfers(session.store.blobs)
    }

    var hasCrashed: Bool { client.isToCrash }

    private var store: ReplicationStore { session.store }

    mutating func perform(_ action: ActiveAction) throws -> (JobID, ActiveResult)? {
        defer { client.mayCrash() }
        if case .storeRevisions(_, let index, let batch) = action {
            return try insert(action, index: index, batch: batch)
        }
        if case .purge(_, let index, let lost) = action { return try purge(action, index: index, lost: lost) }
        return try session.perform(action)
    }

    /// What was never pushed is never replaced by what comes: it is a conflict.
    private func insert(
        _ action: ActiveAction, index: Int, batch: [PulledRevision]
    ) throws -> (JobID, ActiveResult)? {
        let ids = batch.map(\.documentID)
        let name = client.names[index]
        let before = try store.revisions(of: ids, in: name)
        let result = try client.changing(ids.map { DocumentKey(collection: index, id: $0) }, isDurable: false) {
            try session.perform(action)
        }
        client.counts.pulled += batch.count
        for case let (before?, after) in zip(before, try store.revisions(of: ids, in: name)) {
            guard !before.isKnownToRemote, before.revision != after?.revision else { continue }
            if !(after?.history.contains(before.revision) ?? false) {
                client.problems.append("an edit of \(before.documentID) that was never pushed was replaced by a pull")
            }
        }
        return result
    }

    /// What was never pushed is quarantined when access is lost.
    private func purge(_ action: ActiveAction, index: Int, lost: [LostDocument]) throws -> (JobID, ActiveResult)? {
        let ids = lost.map(\.documentID)
        let unpushed = try store.revisions(of: ids, in: client.names[index]).compactMap { revision in
            revision.flatMap { $0.isKnownToRemote ? nil : $0 }
        }
        let kept = try client.database.quarantinedDocuments().count
        let result = try client.changing(ids.map { DocumentKey(collection: index, id: $0) }, isDurable: true) {
            try session.perform(action)
        }
        client.counts.purged += lost.count
        if try client.database.quarantinedDocuments().count < kept + Set(unpushed.map(\.documentID)).count {
            client.problems.append("edits were purged and not quarantined: \(unpushed.map(\.documentID))")
        }
        return result
    }

    // MARK: - Attachments

    func answer(_ digest: String, for number: UInt32, compresses: Bool) -> BLIPOutgoing {
        transfers.content(digest, for: number, compresses: compresses).answer
    }

    func proof(_ digest: String, nonce: [UInt8], for number: UInt32) -> BLIPOutgoing {
        BlobTransfers.proof(digest, nonce: nonce, for: number, in: store.blobs)
    }

    mutating func beginFetch(
        _ request: GetAttachment, longest: UInt64, tag: UInt64, job: JobID
    ) throws -> SyncFailure? {
        try transfers.begin(request, longest: longest, tag: tag, job: job)
    }

    mutating func received(_ bytes: ByteBuffer, tag: UInt64, isLast: Bool) throws -> FinishedFetch? {
        try transfers.received(bytes, tag: tag, isLast: isLast).map { FinishedFetch($0) }
    }

    mutating func fetchFailed(_ failure: SyncFailure, tag: UInt64) -> FinishedFetch? {
        guard transfers.expects(tag) else { return nil }
        return transfers.failed(failure, tag: tag).map { FinishedFetch($0) }
    }

    mutating func cancelFetches() { transfers.cancelAll() }

    func failure(_ error: any Error) -> SyncFailure { SyncFailure(store: error) }
}

extension FinishedFetch {
    fileprivate init(_ outcome: BlobTransfers.Outcome) { self.init(job: outcome.job, failure: outcome.failure) }
}
