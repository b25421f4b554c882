import BLIPProtocol
import DocumentValues
import NIOCore

/// The sending of revisions, and the gateway's answers.
extension Pusher {
    /// - Parameter failures: why a revision could not be read, by its position.
    mutating func revisionsLoaded(
        _ revisions: [LocalRevision?], failures: [Int: SyncFailure], for purpose: Load, _ context: inout ActiveContext
    ) {
        let (batch, isCompared): ([PushTable.Handle], Bool) =
            switch purpose {
            case .sending(let batch): (batch, false)
            case .comparing(let batch): (batch, true)
            }
        for (index, (handle, revision)) in zip(batch, revisions).enumerated() {
            if let failure = failures[index] {
                giveUp(handle, for: failure, &context)
            } else if isCompared {
                compare(handle, with: revision, &context)
            } else {
                send(handle, loaded: revision, &context)
            }
        }
    }

    private mutating func send(
        _ handle: PushTable.Handle, loaded: LocalRevision?, _ context: inout ActiveContext
    ) {
        let candidate = documents[handle].candidate
        guard let loaded, loaded.revision == candidate.revision else {
            // The document was purged, or changed and has a newer sequence.
            let status = loaded == nil ? 404 : 410
            let norev = NoRev(
                collection: context.wireIndex(index), documentID: candidate.documentID,
                revision: candidate.revision.description, sequence: nil, error: status)
            context.output.send(norev.request, as: .other, collection: index)
            return finish(handle)
        }
        if loaded.isInConflict {
            // The pull has brought another branch since: not this revision is pushed, but the resolver's result.
            return enterConflict(handle, &context)
        }
        if candidate.sequence > sequences.doubtful, let name = loaded.otherName {
            // The pull has brought the same content since.
            return finish(handle, known: name)
        }
        let body: [UInt8]
        do throws(AttachmentSplice.Failure) {
            body = try Self.wireBody(candidate, loaded: loaded)
        } catch {
            return giveUp(handle, for: Self.failure(error), &context)
        }
        transmit(handle, loaded: loaded, whole: body, &context)
    }

    private static func failure(_ error: AttachmentSplice.Failure) -> SyncFailure {
        switch error {
        case .notJSON(let error):
            SyncFailure(.liteCore, code: SyncFailure.corruptDataCode, message: "The document is not JSON: \(error)")
        case .namesTooLong: .http(413, message: "The blobs of the document are behind names that are too long")
        }
    }

    private static func wireBody(
        _ candidate: PushCandidate, loaded: LocalRevision
    ) throws(AttachmentSplice.Failure) -> [UInt8] {
        guard loaded.hasBlobs else { return loaded.body }
        let base = candidate.remoteRevision == loaded.remoteRevision ? loaded.remoteBody : nil
        let before = candidate.remoteRevision == nil ? RemoteAttachments.nothing : RemoteAttachments(body: base)
        return try AttachmentSplice.body(loaded.body, position: loaded.sentRevision.attachmentPosition, over: before)
    }

    private mutating func transmit(
        _ handle: PushTable.Handle, loaded: LocalRevision, whole: [UInt8], _ context: inout ActiveContext
    ) {
        let candidate = documents[handle].candidate
        let delta = delta(candidate, loaded: loaded, whole: whole)
        let body = delta ?? whole
        var rev = Rev(
            collection: context.wireIndex(index), documentID: candidate.documentID,
            revision: loaded.sentRevision.description, body: ByteBuffer(bytes: body))
        if delta != nil { rev.deltaSource = candidate.remoteRevision?.description }
        rev.sequence = String(candidate.sequence)
        rev.isDeleted = loaded.isDeleted
        rev.noConflicts = true
        rev.history = loaded.sentHistory.property(
            through: candidate.remoteRevision, limit: SyncLimits.maxHistory, beside: rev.revision, rev.deltaSource)
        let sent = PushedDocument.SentRevision(
            revision: loaded.sentRevision, bytes: max(1, body.count), isDelta: delta != nil)
        documents.move(handle, to: .inFlight(sent))
        sentRevisions[context.output.send(rev.request(asGateway: false), as: .rev, collection: index)] = handle
    }

    /// The difference to the gateway's revision, if that is known and present, and a difference is worth it.
    private func delta(_ candidate: PushCandidate, loaded: LocalRevision, whole: [UInt8]) -> [UInt8]? {
        guard sendsDeltas, let base = loaded.remoteBody, !loaded.isDeleted, !candidate.isSentWhole,
            let remote = candidate.remoteRevision, remote == loaded.remoteRevision
        else { return nil }
        return DeltaBody.difference(from: base, to: whole)
    }

    mutating func revAcknowledged(_ tag: UInt64, _ context: inout ActiveContext) {
        guard let handle = sentRevisions.removeValue(forKey: tag) else { return }
        let document = documents[handle]
        guard case .inFlight(let sent) = document.stage else { return }
        let candidate = document.candidate
        context.window.arrived()
        accepted.note(.sent(candidate, as: sent.revision))
        if terms.pulls, document.isFirstRevisionUnderWay, !candidate.isDeleted {
            accepted.noteNew(candidate.documentID, as: sent.revision)
        }
        context.events.append(
            DocumentEvent(
                collection: index, documentID: candidate.documentID, isPush: true, isDeleted: candidate.isDeleted))
        finish(handle, known: sent.revision)
    }

    /// The gateway refused a revision (§4.9).
    mutating func revFailed(_ tag: UInt64, with failure: SyncFailure, _ context: inout ActiveContext) {
        guard let handle = sentRevisions.removeValue(forKey: tag) else { return }
        let document = documents[handle]
        guard case .inFlight(let sent) = document.stage else { return }
        if sent.isDelta, failure.isOfDelta { return documents.sendWhole(handle) }
        if failure.domain == .http, failure.code == 403, !document.candidate.isQuietRetry, !document.isSecondAttempt {
            let refusal = PushedDocument.Refusal(failure: failure, acceptances: accepted.count)
            return documents.move(handle, to: .refused(refusal))
        }
        if terms.pulls, failure.domain == .http, failure.code == 409 {
            // Another client changed the document between proposal and revision: the pull brings the other branch, as
            // after a refused proposal.
            return enterConflict(handle, hasGoneOn: true, &context)
        }
        giveUp(handle, for: failure, &context)
    }

    /// Gives a document up: for good, or if the failure may pass, until the next connection or for some minutes.
    mutating func giveUp(_ handle: PushTable.Handle, for failure: SyncFailure, _ context: inout ActiveContext) {
        let candidate = documents[handle].candidate
        if !candidate.isQuietRetry, !candidate.wasPostponed {
            context.events.append(
                DocumentEvent(
                    collection: index, documentID: candidate.documentID, isPush: true, isDeleted: candidate.isDeleted,
                    failure: failure))
        }
        if failure.isTransient {
            postpone(handle, &context)
        } else {
            context.output.append(.noteRefusal(collection: index, candidate, failure))
            if failure.mayPassWithTime { retries.scheduleRefused(at: context.now) }
            finish(handle)
        }
    }
}

extension LocalRevision {
    fileprivate var sentRevision: RevisionID { branch ?? revision }

    /// The gateway's revision id of this content, if the gateway has the content under another id.
    fileprivate var otherName: RevisionID? { isKnownToRemote && remoteRevision != revision ? remoteRevision : nil }

    /// The gateway knows the ancestors of its own branch, so they are not sent.
    fileprivate var sentHistory: RevisionHistory {
        branch == nil ? history : RevisionHistory(remoteRevision.map { [$0] } ?? [])
    }
}

extension AcknowledgedRevision {
    fileprivate static func sent(_ candidate: PushCandidate, as revision: RevisionID) -> AcknowledgedRevision {
        AcknowledgedRevision(
            documentID: candidate.documentID, revision: revision,
            localRevision: revision == candidate.revision ? nil : candidate.revision)
    }
}
