import DocumentValues

/// Conflicts: proposals that the gateway answered with 409 (§4.8).
extension Pusher {
    mutating func compareConflictingProposals(_ context: inout ActiveContext) {
        guard documents.readCount == 0 else { return }
        let batch = popBatch(.conflictingProposal)
        guard !batch.isEmpty else { return }
        for handle in batch {
            guard case .conflictingProposal(let server) = documents[handle].stage else { continue }
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
        if let server, settleIfKnown(handle, loaded: loaded, server: server) { return }
        guard terms.pulls else { return giveUp(handle, for: Self.conflictFailure, &context) }
        let candidate = document.candidate
        let hasChanged = loaded.revision != candidate.revision || loaded.remoteRevision != candidate.remoteRevision
        if hasChanged, let remote = loaded.remoteRevision, loaded.history.contains(remote) {
            // Since the proposal, the pull has brought the gateway's revision, and the conflict is settled.
            return replace(handle, by: newer(candidate, loaded: loaded, remote: remote))
        }
        let isUnknown = isUnseen(loaded, server: server) && isToBeAsked(candidate)
        enterConflict(
            handle, isUnknown: isUnknown, hasGoneOn: server == nil || server != loaded.remoteRevision, &context)
    }

    /// Whether this side has no revision of the gateway's, or only an older one because a pull filter of an earlier run
    /// rejected the rest. If there is a pull filter now, the rest is not requested: the filter would reject it again in every
    /// run.
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

    /// Settles the document if there is no conflict after all: we only did not know the gateway's revision, or an
    /// earlier conflict with another gateway was settled against that branch.
    ///
    /// - Returns: whether it is settled.
    private mutating func settleIfKnown(
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
        // A gateway that has this deletion answers that it knows it. So this one has a live revision under the same
        // revision id (§3.3).
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
        case .inConflict, .reported: documents.move(handle, to: .conflictingProposal(serverRevision: revision))
        case .proposable, .proposed, .conflictingProposal, .comparing, .approved, .loading, .inFlight, .refused,
            .postponed:
            documents.forgetReport(of: handle)
        }
    }

    /// The document is not in conflict any more.
    private mutating func endConflict(of documentID: String) {
        guard let handle = documents.handle(of: documentID) else { return }
        switch documents[handle].stage {
        case .inConflict, .reported: settle(documents.remove(handle).candidate)
        case .proposable, .proposed, .conflictingProposal, .comparing, .approved, .loading, .inFlight, .refused,
            .postponed:
            documents.forgetReport(of: handle)
        }
    }

    /// A merged revision on top of the remote's is a local change like any other. A one-shot push has read its changes
    /// already: it reads again, so that the run that resolves a conflict also sends the result.
    mutating func conflictResolved(_ conflict: ResolvedConflict) {
        switch conflict.outcome {
        case .remote: endConflict(of: conflict.documentID)
        case .local, .deleted:
            endConflict(of: conflict.documentID)
            if !terms.isContinuous { merges.noteMerged(conflict.documentID) }
            sequences.changesCommitted()
        case .failed: if let handle = documents.handle(of: conflict.documentID) { documents.noteKnown(handle) }
        }
    }

    /// The document's sequence stays open until the resolver's result replaces the change or the outbox has it. If a
    /// checkpoint counted the sequence as done before, the change would be forgotten when the process ends.
    ///
    /// - Parameters:
    ///   - isUnknown: whether the pull has to ask for the document by name to bring the gateway's revision.
    ///   - hasGoneOn: whether that revision is another one than this side knows. If the versions were merged before, the pull
    ///     requests it after a pause.
    mutating func enterConflict(
        _ handle: PushTable.Handle, isUnknown: Bool = false, hasGoneOn: Bool = false, _ context: inout ActiveContext
    ) {
        let document = documents[handle]
        // If the document was only tried again, there is nothing new to report. If there is a newer change, only the
        // result of that one counts.
        if document.isConflictReported { retries.scheduleRefused(at: context.now) }
        guard !document.isConflictReported, document.newer == nil else { return finish(handle) }
        let pause = hasGoneOn ? merges.pause(before: document.candidate.documentID) : nil
        let delay = pause ?? (terms.isContinuous ? ActiveLimits.conflictReportDelay : 0)
        let conflict = PushedDocument.OpenConflict(
            reportTime: context.now + delay, isUnknown: isUnknown || pause != nil)
        documents.rest(handle, at: .inConflict(conflict))
    }

    /// - Returns: documents that the pull has to request by name, since it has not brought the gateway's revisions of
    ///   them.
    mutating func takeUnknownConflicts(at now: Instant) -> [PushCandidate] {
        let unknown = documents.takeUnknownConflicts(at: now)
        for candidate in unknown { asked.insert(Name(candidate.documentID)) }
        return unknown
    }

    /// Called when the pull has brought all revisions of the gateway. A continuous session reports a little later; if
    /// the other branch comes even after that, the conflict is resolved as usual.
    mutating func reportDueConflicts(_ context: inout ActiveContext) {
        let due = documents.takeDueConflicts(at: context.now)
        report(due, &context)
        for candidate in due { settle(candidate) }
        if !due.isEmpty { retries.scheduleRefused(at: context.now) }
    }

    /// Reports the documents that are still in conflict when the session ends. The next session proposes them again.
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
