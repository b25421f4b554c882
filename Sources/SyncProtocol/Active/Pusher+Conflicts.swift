import DocumentValues

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
        enterConflict(candidate, &context)
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
        guard let known = conflicted.removeValue(forKey: Name(documentID)), active[Name(documentID)] == nil else {
            return
        }
        active[Name(documentID)] = known.candidate.revision
        disputes.append(Disputed(candidate: known.candidate, serverRevision: revision))
    }

    /// What was put on top of the remote's revision is a local change like any other. A push that runs once has read its
    /// changes already and looks again, so that the run that resolves a conflict also sends what came of it.
    mutating func conflictResolved(_ conflict: ResolvedConflict) {
        switch conflict.outcome {
        case .remote: conflicted[Name(conflict.documentID)] = nil
        case .local, .deleted:
            conflicted[Name(conflict.documentID)] = nil
            mayHaveChanges = true
        case .failed: break
        }
    }

    mutating func enterConflict(_ candidate: PushCandidate, _ context: inout ActiveContext) {
        let id = candidate.documentID
        if let known = conflicted[Name(id)], known.candidate.revision == candidate.revision {
            // It was only tried again.
            if known.isTold { retryLater(&context) }
        } else {
            conflicted[Name(id)] = Conflicted(candidate: candidate, since: context.now)
            if isContinuous, conflictTime == nil { conflictTime = context.now + ActiveLimits.conflictPatience }
        }
        finish(candidate)
    }

    /// What the pull does not bring, perhaps because the user may not see it or because it has come long ago, is told
    /// while the session goes on; if it comes after all, the conflict is resolved as ever.
    mutating func tellConflicts(_ context: inout ActiveContext) {
        guard let conflictTime, conflictTime <= context.now, !isHalted else { return }
        // Of a document that has changed, the newer revision gets an answer of its own.
        let open = conflicted.values.filter { !$0.isTold && active[Name($0.candidate.documentID)] == nil }
        let (due, later) = (open.filter { $0.tellTime <= context.now }, open.filter { $0.tellTime > context.now })
        tell(due, &context)
        for conflict in due { conflicted[Name(conflict.candidate.documentID)]?.isTold = true }
        if !due.isEmpty { retryLater(&context) }
        self.conflictTime = later.map(\.tellTime).min()
    }

    /// Documents that are still in conflict when the session ends.
    mutating func reportConflicts(_ context: inout ActiveContext) {
        tell(conflicted.values.filter { !$0.isTold }, &context)
        conflicted = [:]
    }

    private func tell(_ conflicts: [Conflicted], _ context: inout ActiveContext) {
        for conflict in conflicts.sorted(by: { $0.candidate.sequence < $1.candidate.sequence }) {
            let candidate = conflict.candidate
            context.actions.append(.recordRejection(collection: index, candidate, Self.conflictFailure))
            guard !candidate.isQuietRetry else { continue }
            context.events.append(
                DocumentEvent(
                    collection: index, documentID: candidate.documentID, isPush: true, isDeleted: candidate.isDeleted,
                    failure: Self.conflictFailure))
        }
    }

    static let conflictFailure = SyncFailure.http(409, "conflicts with server document")
}

extension Pusher.Conflicted {
    fileprivate var tellTime: Timestamp { since + ActiveLimits.conflictPatience }
}
