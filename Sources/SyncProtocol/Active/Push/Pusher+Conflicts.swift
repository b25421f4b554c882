import DocumentValues

/// Conflicts: proposals that the gateway answered with 409 (§4.8).
extension Pusher {
    mutating func compareDisputed(_ context: inout ActiveContext) {
        let batch = documents.pop(.disputed)
        guard !batch.isEmpty else { return }
        for handle in batch {
            guard case .disputed(let server) = documents[handle].stage else { continue }
            documents.move(handle, to: .comparing(serverRevision: server))
        }
        load(batch, for: .comparing(batch), withBases: false, &context)
    }

    mutating func compare(
        _ handle: PushTable.Handle, with loaded: LocalRevision?, _ context: inout ActiveContext
    ) {
        let document = documents[handle]
        guard case .comparing(let server) = document.stage else { return }
        guard let loaded else { return finish(handle) }
        if let server, isSettled(handle, loaded: loaded, server: server) { return }
        guard pulls else { return reject(handle, for: Self.conflictFailure, &context) }
        let candidate = document.candidate
        let hasChanged = loaded.revision != candidate.revision || loaded.remoteRevision != candidate.remoteRevision
        if hasChanged, let remote = loaded.remoteRevision, loaded.history.contains(remote) {
            // The pull has brought the other side meanwhile, and the conflict is settled.
            return replace(handle, by: newer(candidate, loaded: loaded, remote: remote))
        }
        let isUnknown = isUnseen(loaded, server: server) && isToBeAsked(candidate)
        enterConflict(
            handle, isUnknown: isUnknown, hasGoneOn: server == nil || server != loaded.remoteRevision, &context)
    }

    /// Whether nothing is here of what the gateway has, or only something older: a pull filter of an earlier run has kept the
    /// rest out. One that there is now would refuse it in every run once more.
    private func isUnseen(_ loaded: LocalRevision, server: RevisionID?) -> Bool {
        guard let known = loaded.remoteRevision else { return true }
        guard let server, !hasPullFilter else { return false }
        return server != known
    }

    /// Whether the gateway may have announced its revision of the document before this session.
    private func isToBeAsked(_ candidate: PushCandidate) -> Bool {
        guard !asked.contains(Name(candidate.documentID)) else { return false }
        return !pullsAll || feed.isNew(candidate.sequence)
    }

    /// It may be no conflict after all: we only did not know what the gateway has, or the conflict was settled against
    /// its branch when another gateway had another one.
    private mutating func isSettled(
        _ handle: PushTable.Handle, loaded: LocalRevision, server: RevisionID
    ) -> Bool {
        let candidate = documents[handle].candidate
        if server == loaded.remoteRevision, loaded.isKnownToRemote {
            finish(handle, known: server)
            return true
        }
        if server == loaded.branch {
            acknowledged.append(
                AcknowledgedRevision(
                    documentID: candidate.documentID, revision: server, localRevision: loaded.revision))
            finish(handle, known: server)
            return true
        }
        // A gateway that has the deletion says so: this one has something live under its id (§3.3).
        let isTaken = candidate.isDeleted && server == candidate.revision
        guard server != candidate.remoteRevision, !isTaken else { return false }
        let isAncestor = loaded.history.contains(server) || loaded.revision == server
        if isAncestor {
            acknowledged.append(
                AcknowledgedRevision(documentID: candidate.documentID, revision: server))
        }
        guard isAncestor || (loaded.branch != nil && server == loaded.remoteRevision) else { return false }
        replace(handle, by: newer(candidate, loaded: loaded, remote: server))
        return true
    }

    private func newer(
        _ candidate: PushCandidate, loaded: LocalRevision, remote: RevisionID
    ) -> PushCandidate {
        var newer = PushCandidate(LocalChange(loaded))
        newer.change.remoteRevision = remote
        newer.isQuietRetry = candidate.isQuietRetry && loaded.revision == candidate.revision
        return newer
    }

    /// The pull found that the gateway's revision of a document is an ancestor of ours after all.
    mutating func remoteIsKnown(_ documentID: String, as revision: RevisionID) {
        guard let candidate = conflicts.remove(documentID) else { return }
        guard !documents.contains(documentID) else { return settle(candidate) }
        documents.add(candidate, at: .disputed(serverRevision: revision))
    }

    /// What was put on top of the remote's revision is a local change like any other. A push that runs once has read its
    /// changes already and looks again, so that the run that resolves a conflict also sends what came of it.
    mutating func conflictResolved(_ conflict: ResolvedConflict) {
        switch conflict.outcome {
        case .remote: settle(conflicts.remove(conflict.documentID))
        case .local, .deleted:
            settle(conflicts.remove(conflict.documentID))
            if !isContinuous { merges.wasMerged(conflict.documentID) }
            feed.changesCommitted()
        case .failed: conflicts.noteKnown(conflict.documentID)
        }
    }

    /// Its sequence is done when the resolver's result replaces it or the outbox has it: a checkpoint that counts it as
    /// done before would have it forgotten when the process ends meanwhile.
    ///
    /// - Parameters:
    ///   - isUnknown: whether the pull has to ask for the document by name to bring the gateway's revision.
    ///   - hasGoneOn: whether that revision is another one than is known here. Where both sides were put together before, the
    ///     pull asks for it after a pause.
    mutating func enterConflict(
        _ handle: PushTable.Handle, isUnknown: Bool = false, hasGoneOn: Bool = false, _ context: inout ActiveContext
    ) {
        let candidate = documents[handle].candidate
        let pause = hasGoneOn ? merges.pause(before: candidate.documentID) : nil
        let delay = pause ?? (isContinuous ? ActiveLimits.conflictReportDelay : 0)
        switch conflicts.add(candidate, isUnknown: isUnknown || pause != nil, dueAt: context.now + delay) {
        case .waiting(let replaced):
            if let replaced, replaced.sequence != candidate.sequence { settle(replaced) }
            finish(handle, isCompleted: false)
        case .reported:
            // It was only tried again.
            retries.schedule(at: context.now)
            finish(handle)
        }
    }

    /// A revision that was in conflict needs no more work.
    mutating func settle(_ candidate: PushCandidate?) {
        if let candidate, !candidate.isQuietRetry { feed.complete(candidate.sequence) }
    }

    /// - Returns: documents that the pull has to ask for, as it has not brought what the gateway has of them.
    mutating func takeUnknownConflicts(at now: Instant) -> [PushCandidate] {
        let unknown = conflicts.takeUnknown(at: now, besides: documents)
        for candidate in unknown { asked.insert(Name(candidate.documentID)) }
        return unknown
    }

    /// When the pull has brought all that there was. While the session goes on, a little later; if the other side comes
    /// after all, the conflict is resolved as ever.
    mutating func reportDueConflicts(_ context: inout ActiveContext) {
        let due = conflicts.takeDue(at: context.now, besides: documents)
        report(due, &context)
        for candidate in due { settle(candidate) }
        if !due.isEmpty { retries.schedule(at: context.now) }
    }

    /// Documents that are still in conflict when the session ends. The next one proposes them again.
    mutating func reportConflicts(_ context: inout ActiveContext) { report(conflicts.takeAll(), &context) }

    private func report(_ candidates: [PushCandidate], _ context: inout ActiveContext) {
        for candidate in candidates {
            context.outbox.append(.recordRejection(collection: index, candidate, Self.conflictFailure))
            guard !candidate.isQuietRetry else { continue }
            context.events.append(
                DocumentEvent(
                    collection: index, documentID: candidate.documentID, isPush: true, isDeleted: candidate.isDeleted,
                    failure: Self.conflictFailure))
        }
    }

    static let conflictFailure = SyncFailure.http(409, message: "conflicts with server document")
}
