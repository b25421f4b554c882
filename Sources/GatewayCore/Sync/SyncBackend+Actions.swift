import SyncProtocol

extension SyncBackend {
    /// Performs a session's requests to the database, except for feeds and attachments.
    package func result(of action: PassiveAction) async throws -> PassiveResult {
        switch action {
        case .resolveCollections(_, let names, let checkpointIDs):
            return .collections(try await resolveCollections(names, checkpointIDs: checkpointIDs))
        case .loadCheckpoint(_, let collection, let client):
            let stored = try await checkpoint(client, collection: collection)
            return .checkpoint(stored?.body, revision: stored?.revision)
        case .saveCheckpoint(_, let collection, let client, let revision, let body):
            return .saved(
                revision: try await saveCheckpoint(
                    client, collection: collection, revision: revision, body: body))
        case .checkAnnounced(_, let collection, let rows):
            return .wanted(try await checkAnnounced(rows, collection: collection))
        case .checkProposed(_, let collection, let rows):
            return .proposals(try await checkProposed(rows, collection: collection))
        case .loadSources(_, let collection, let asked):
            return .sources(try await sources(asked, collection: collection))
        case .storeRevisions(_, let collection, let revisions):
            return .stored(try await self.store(revisions, collection: collection))
        case .loadRevisions(_, let collection, let requests, let bytes):
            return .revisions(try await load(requests, collection: collection, upTo: bytes))
        case .keepAttachment(_, let handle, let bytes):
            try await keepAttachment(handle, bytes: bytes)
            return .done
        case .send, .openFeed, .nextRows, .closeFeed, .serveAttachment, .dropAttachments, .noteRefusal,
            .pauseReading, .resumeReading, .close:
            return .done
        }
    }
}
