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
        guard terms.pulls else { return giveUp(handle, for: Self.conflictFailure, &context) }
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
        guard let server, !terms.hasPullFilter else { return false }
        return server != known
    }

    /// Whether the gateway may have announced its revision of the document before this session.
    private func isToBeAsked(_ candidate: PushCandidate) -> Bool {
        guard !asked.contains(Name(candidate.documentID)) else { return false }
        return !terms.pullsAll || sequences.isNew(candidate.sequence)
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
            accepted.noteFound(
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
            accepted.noteFound(
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
        guard let handle = documents.handle(of: documentID) else { return }
        switch documents[handle].stage {
        case .inConflict, .reported: documents.move(handle, to: .disputed(serverRevision: revision))
        case .proposable, .proposed, .disputed, .comparing, .approved, .loading, .inFlight, .refused, .postponed:
            documents.forgetReport(of: handle)
        }
    }

    /// The document is not in conflict any more.
    private mutating func endConflict(of documentID: String) {
        guard let handle = documents.handle(of: documentID) else { return }
        switch documents[handle].stage {
        case .inConflict, .reported: settle(documents.remove(handle).candidate)
        case .proposable, .proposed, .disputed, .comparing, .approved, .loading, .inFlight, .refused, .postponed:
            documents.forgetReport(of: handle)
        }
    }

    /// What was put on top of the remote's revision is a local change like any other. A push that runs once has read its
    /// changes already and looks again, so that the run that resolves a conflict also sends what came of it.
    mutating func conflictResolved(_ conflict: ResolvedConflict) {
        switch conflict.outcome {
        case .remote: endConflict(of: conflict.documentID)
        case .local, .deleted:
            endConflict(of: conflict.documentID)
            if !terms.isContinuous { merges.wasMerged(conflict.documentID) }
            sequences.changesCommitted()
        case .failed: if let handle = documents.handle(of: conflict.documentID) { documents.noteKnown(handle) }
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
        let document = documents[handle]
        // Of one that was only tried again nothing new is known; otherwise what comes of the newer revision counts.
        if document.isConflictReported { retries.schedule(at: context.now) }
        guard !document.isConflictReported, document.newer == nil else { return finish(handle) }
        let pause = hasGoneOn ? merges.pause(before: document.candidate.documentID) : nil
        let delay = pause ?? (terms.isContinuous ? ActiveLimits.conflictReportDelay : 0)
        let conflict = PushedDocument.OpenConflict(
            reportTime: context.now + delay, isUnknown: isUnknown || pause != nil)
        documents.rest(handle, at: .inConflict(conflict))
    }

    /// - Returns: documents that the pull has to ask for, as it has not brought what the gateway has of them.
    mutating func takeUnknownConflicts(at now: Instant) -> [PushCandidate] {
        let unknown = documents.takeUnknownConflicts(at: now)
        for candidate in unknown { asked.insert(Name(candidate.documentID)) }
        return unknown
    }

    /// When the pull has brought all that there was. While the session goes on, a little later; if the other side comes
    /// after all, the conflict is resolved as ever.
    mutating func reportDueConflicts(_ context: inout ActiveContext) {
        let due = documents.takeDueConflicts(at: context.now)
        report(due, &context)
        for candidate in due { settle(candidate) }
        if !due.isEmpty { retries.schedule(at: context.now) }
    }

    /// Documents that are still in conflict when the session ends. The next one proposes them again.
    mutating func reportConflicts(_ context: inout ActiveContext) { report(documents.takeAllConflicts(), &context) }

    private func report(_ candidates: [PushCandidate], _ context: inout ActiveContext) {
        for candidate in candidates {
            context.output.append(.noteRefusal(collection: index, candidate, Self.conflictFailure))
            guard !candidate.isQuietRetry else { continue }
            context.events.append(
                DocumentEvent(
                    collection: index, documentID: candidate.documentID, isPush: true, isDeleted: candidate.isDeleted,
                    failure: Self.conflictFailure))
        }
    }

    static let conflictFailure = SyncFailure.http(409, message: "conflicts with server document")
}
