import BLIPProtocol
import DocumentValues
import NIOCore

/// Revisions on their way, and what the gateway says to them.
extension Pusher {
    mutating func revisionsLoaded(_ revisions: [OutgoingRevision?], _ context: inout ActiveContext) {
        guard !loads.isEmpty else { return }
        switch loads.removeFirst() {
        case .sending(let batch):
            for (candidate, revision) in zip(batch, revisions) { send(candidate, revision, &context) }
        case .judging(let batch):
            for (disputed, revision) in zip(batch, revisions) { judge(disputed, revision, &context) }
        }
    }

    private mutating func send(
        _ candidate: PushCandidate, _ loaded: OutgoingRevision?, _ context: inout ActiveContext
    ) {
        guard let loaded, loaded.revision == candidate.revision else {
            // The document was purged, or changed and has a newer sequence.
            let status = loaded == nil ? 404 : 410
            let norev = NoRev(
                collection: context.wireIndex(index), documentID: candidate.documentID,
                revision: candidate.revision.description, sequence: nil, error: status)
            context.send(norev.request, .other, index)
            context.completed += 1
            return finish(candidate)
        }
        if loaded.isInConflict {
            // The pull brought another branch meanwhile: what the resolver makes of the two is pushed, not this.
            context.completed += 1
            conflicted[candidate.documentID] = Conflicted(candidate: candidate)
            return finish(candidate)
        }
        let body: [UInt8]
        do throws(JSONError) {
            body = try Self.wireBody(candidate, loaded)
        } catch {
            let failure = SyncFailure(.liteCore, SyncFailure.corruptDataCode, "The document is not JSON: \(error)")
            return reject(candidate, failure, &context)
        }
        transmit(candidate, loaded, body, &context)
    }

    private static func wireBody(
        _ candidate: PushCandidate, _ loaded: OutgoingRevision
    ) throws(JSONError) -> [UInt8] {
        guard loaded.hasBlobs else { return loaded.body }
        let base = candidate.remoteRevision == loaded.remoteRevision ? loaded.base : nil
        let before = candidate.remoteRevision == nil ? AttachedBefore.nothing : AttachedBefore(body: base)
        return try AttachmentSplice.body(loaded.body, generation: loaded.sentRevision.generation, over: before)
    }

    private mutating func transmit(
        _ candidate: PushCandidate, _ loaded: OutgoingRevision, _ whole: [UInt8], _ context: inout ActiveContext
    ) {
        let delta = delta(candidate, loaded, whole)
        let body = delta ?? whole
        var rev = Rev(
            collection: context.wireIndex(index), documentID: candidate.documentID,
            revision: loaded.sentRevision.description, body: ByteBuffer(bytes: body))
        if delta != nil { rev.deltaSource = candidate.remoteRevision?.description }
        rev.sequence = String(candidate.sequence)
        rev.isDeleted = loaded.isDeleted
        rev.noConflicts = true
        rev.history =
            loaded.sentHistory.prefix(
                through: candidate.remoteRevision, limit: SyncLimits.maxHistory
            ).description
        let bytes = max(1, body.count)
        unacknowledgedBytes += bytes
        let tag = context.send(rev.request(asGateway: false), .rev, index)
        inFlight[tag] = InFlight(
            candidate: candidate, revision: loaded.sentRevision, bytes: bytes, isDelta: delta != nil)
    }

    /// The difference to what the gateway has, where that is known, here, and worth it.
    private func delta(_ candidate: PushCandidate, _ loaded: OutgoingRevision, _ whole: [UInt8]) -> [UInt8]? {
        guard sendsDeltas, let base = loaded.base, !loaded.isDeleted, !candidate.isSentWhole,
            let remote = candidate.remoteRevision, remote == loaded.remoteRevision
        else { return nil }
        return DeltaBody.difference(from: base, to: whole)
    }

    mutating func revAcknowledged(_ tag: UInt64, _ context: inout ActiveContext) {
        guard let sent = inFlight.removeValue(forKey: tag) else { return }
        unacknowledgedBytes -= sent.bytes
        let candidate = sent.candidate
        context.completed += 1
        acknowledged.append(.sent(candidate, as: sent.revision))
        hasRetried[candidate.documentID] = nil
        context.events.append(
            DocumentEvent(
                collection: index, documentID: candidate.documentID, isPush: true, isDeleted: candidate.isDeleted))
        finish(candidate, known: sent.revision)
    }

    /// The gateway refused a revision (§4.9).
    mutating func revFailed(_ tag: UInt64, _ failure: SyncFailure, _ context: inout ActiveContext) {
        guard let sent = inFlight.removeValue(forKey: tag) else { return }
        unacknowledgedBytes -= sent.bytes
        var candidate = sent.candidate
        if sent.isDelta, failure.isOfDelta {
            candidate.isSentWhole = true
            approved.insert(candidate, at: 0)
            return
        }
        if failure.domain == .http, failure.code == 403, !candidate.isQuietRetry,
            hasRetried[candidate.documentID] != candidate.revision
        {
            hasRetried[candidate.documentID] = candidate.revision
            context.total -= 1
            refusedOnce.append(candidate)
            return
        }
        hasRetried[candidate.documentID] = nil
        reject(candidate, failure, &context)
    }

    /// Gives a document up: for good, or where the failure may pass, until the next connection.
    mutating func reject(_ candidate: PushCandidate, _ failure: SyncFailure, _ context: inout ActiveContext) {
        context.completed += 1
        if !candidate.isQuietRetry {
            context.events.append(
                DocumentEvent(
                    collection: index, documentID: candidate.documentID, isPush: true, isDeleted: candidate.isDeleted,
                    failure: failure))
        }
        if failure.isTransient {
            finish(candidate, isCompleted: false)
        } else {
            context.actions.append(.recordRejection(collection: index, candidate, failure))
            if failure.mayPassWithTime { retryLater(&context) }
            finish(candidate)
        }
    }
}

/// Conflicts: proposals that the gateway answered with 409 (§4.8).
extension Pusher {
    mutating func judgeDisputes(_ context: inout ActiveContext) {
        guard !disputes.isEmpty else { return }
        loads.append(.judging(disputes))
        context.actions.append(
            .loadRevisions(collection: index, disputes.map(\.candidate.documentID), withBases: false))
        disputes = []
    }

    mutating func judge(_ disputed: Disputed, _ loaded: OutgoingRevision?, _ context: inout ActiveContext) {
        let candidate = disputed.candidate
        guard let loaded else { return finish(candidate) }
        if let server = disputed.serverRevision, isSettled(candidate, loaded, server) { return }
        guard pulls else {
            return reject(candidate, Self.conflictFailure, &context)
        }
        let hasChanged = loaded.revision != candidate.revision || loaded.remoteRevision != candidate.remoteRevision
        if hasChanged, let remote = loaded.remoteRevision, loaded.history.contains(remote) {
            // The pull has brought the other side meanwhile, and the conflict is settled.
            return replace(candidate, by: newer(candidate, loaded, remote: remote))
        }
        conflicted[candidate.documentID] = Conflicted(candidate: candidate)
        finish(candidate)
    }

    /// It may be no conflict after all: we only did not know what the gateway has, or the conflict was settled against
    /// its branch when another gateway had another one.
    private mutating func isSettled(
        _ candidate: PushCandidate, _ loaded: OutgoingRevision, _ server: RevisionID
    ) -> Bool {
        if server == loaded.remoteRevision, loaded.isKnownToRemote {
            finish(candidate, known: server)
            return true
        }
        if server == loaded.branch {
            acknowledged.append(
                KnownRevision(documentID: candidate.documentID, revision: server, standsFor: loaded.revision))
            finish(candidate, known: server)
            return true
        }
        guard server != candidate.remoteRevision else { return false }
        let isAncestor = loaded.history.contains(server) || loaded.revision == server
        if isAncestor {
            acknowledged.append(
                KnownRevision(documentID: candidate.documentID, revision: server, isAncestor: true))
        }
        guard isAncestor || (loaded.branch != nil && server == loaded.remoteRevision) else { return false }
        replace(candidate, by: newer(candidate, loaded, remote: server))
        return true
    }

    private func newer(
        _ candidate: PushCandidate, _ loaded: OutgoingRevision, remote: RevisionID
    ) -> PushCandidate {
        var newer = PushCandidate(
            sequence: loaded.sequence, documentID: candidate.documentID, revision: loaded.revision,
            remoteRevision: remote, isDeleted: loaded.isDeleted, bodySize: loaded.body.count)
        newer.isQuietRetry = candidate.isQuietRetry && loaded.revision == candidate.revision
        return newer
    }

    /// The pull found that the gateway's revision of a document is an ancestor of ours after all.
    mutating func remoteIsKnown(_ documentID: String, _ revision: RevisionID) {
        guard let known = conflicted.removeValue(forKey: documentID), active[documentID] == nil else { return }
        active[documentID] = known.candidate.revision
        disputes.append(Disputed(candidate: known.candidate, serverRevision: revision))
    }

    mutating func conflictResolved(_ conflict: ResolvedConflict) {
        switch conflict.outcome {
        case .remote, .deleted: conflicted[conflict.documentID] = nil
        case .local:
            // What was put on top of the remote's revision is a local change like any other. A push that runs once
            // has read its changes already; its next run sends it, and the document counts as in conflict until then.
            if isContinuous {
                conflicted[conflict.documentID] = nil
            } else {
                conflicted[conflict.documentID]?.isResolved = true
            }
        case .failed: break
        }
    }

    /// Documents that are still in conflict when the session ends. What the pull did not bring, perhaps because the
    /// user may not see it, stays in the outbox.
    mutating func reportConflicts(_ context: inout ActiveContext) {
        for conflict in conflicted.values.sorted(by: { $0.candidate.sequence < $1.candidate.sequence }) {
            let candidate = conflict.candidate
            if !conflict.isResolved {
                context.actions.append(.recordRejection(collection: index, candidate, Self.conflictFailure))
            }
            guard !candidate.isQuietRetry else { continue }
            context.events.append(
                DocumentEvent(
                    collection: index, documentID: candidate.documentID, isPush: true, isDeleted: candidate.isDeleted,
                    failure: Self.conflictFailure))
        }
        conflicted = [:]
    }

    static let conflictFailure = SyncFailure.http(409, "conflicts with server document")
}

extension OutgoingRevision {
    fileprivate var sentRevision: RevisionID { branch ?? revision }

    /// What lies below the gateway's own branch it knows itself.
    fileprivate var sentHistory: RevisionHistory {
        branch == nil ? history : RevisionHistory(remoteRevision.map { [$0] } ?? [])
    }
}

extension KnownRevision {
    fileprivate static func sent(_ candidate: PushCandidate, as revision: RevisionID) -> KnownRevision {
        KnownRevision(
            documentID: candidate.documentID, revision: revision,
            standsFor: revision == candidate.revision ? nil : candidate.revision)
    }
}
