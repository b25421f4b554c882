import DocumentValues

/// The dispatch of each job's result to the part that requested it.
extension ActiveSession {
    mutating func complete(_ job: ActiveJob, id: JobID, with result: ActiveResult) {
        // With too few, some revisions would wait for ever, and the session with them.
        guard job.elements == result.elements else { return failUnexpectedly() }
        switch (job, result) {
        case (.readChanges(let index), .changes(let changes, let unreadable, let through, let isCaughtUp)):
            collections[index].pusher?.changesRead(
                changes, unreadable: unreadable, through: through, isCaughtUp: isCaughtUp, &context)
        case (.readRefused(let index), .refused(let changes)):
            collections[index].pusher?.refusedRead(changes)
        case (.loadRevisions(let index, let load), .revisions(let revisions, let failures)):
            collections[index].pusher?.revisionsLoaded(revisions, failures: failures, for: load, &context)
        case (.checkAnnounced(let index, _), .wanted(let decisions)):
            notifyPusher(index, of: collections[index].puller?.rowsDecided(decisions, of: id, &context))
        case (.loadSources(let index, let batch), .sources(let bodies)):
            collections[index].puller?.sourcesLoaded(bodies, of: batch, &context)
        case (.examine(let index, let batch), .examined(let results)):
            collections[index].puller?.examined(batch, with: results, &context)
        case (.fetchAttachment(let index, let tag), .fetched(let failure)):
            collections[index].puller?.fetched(tag, failure: failure, &context)
        case (.storeRevisions(let index, let batch), .stored(let outcomes)):
            notifyPusher(index, of: collections[index].puller?.stored(batch, with: outcomes, &context))
        case (.purge(let index, let batch), .purged(let verdicts)):
            collections[index].puller?.purged(batch, with: verdicts, &context)
        case (.resolveConflicts(let index), .resolved(let conflicts)):
            collections[index].puller?.resolved(conflicts, &context)
            for conflict in conflicts { collections[index].pusher?.conflictResolved(conflict) }
        case (.readChanges, _), (.readRefused, _), (.loadRevisions, _), (.checkAnnounced, _), (.loadSources, _),
            (.examine, _), (.fetchAttachment, _), (.storeRevisions, _), (.purge, _), (.resolveConflicts, _):
            failUnexpectedly()
        }
    }

    private mutating func failUnexpectedly() {
        context.fail(.unexpectedResult)
        close(.normal)
    }

    /// Notifies the push that this side has the documents which the gateway has under these revision ids.
    private mutating func notifyPusher(_ index: Int, of known: [AnnouncedRevision]?) {
        for known in known ?? [] { collections[index].pusher?.remoteIsKnown(known.documentID, as: known.revision) }
    }
}
