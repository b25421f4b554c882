import AccessControl
import DocumentValues
import SyncProtocol

/// Reads the revisions that a client has requested: redacted if the client may not see them, and as the difference to a
/// revision of the client, if the client names one and the difference is shorter.
struct RevisionLoader {
    let reader: DocumentReader
    let counts: DeltaCounts

    func load(_ request: RevisionRequest) async throws -> LoadedRevision {
        guard let stored = try await reader.find(request.documentID) else {
            return .unavailable(404, "missing")
        }
        let leaf = try await reader.leafBeside(request.revision, stored: stored)
        let document = leaf ?? reader.sight.visible(stored)
        if document.isRedacted, !document.isDeleted { return .removed(document.history) }
        let digests = document.attachments?.digests.sorted().map(\.text) ?? []
        if let source = request.deltaSource, let delta = try await delta(from: source, to: document, stored) {
            return .delta(
                from: source, revision: document.revision, history: document.history, body: delta,
                attachments: digests)
        }
        return .found(
            revision: document.revision, history: document.history, isDeleted: document.isDeleted,
            body: document.bodyWithAttachments, attachments: digests)
    }

    private func delta(
        from source: RevisionID, to document: DocumentRevision, _ stored: StoredDocument
    ) async throws -> [UInt8]? {
        counts.add { $0.requested += 1 }
        guard !document.isDeleted, source != document.revision, document.body.count >= SyncLimits.smallestDeltaBody
        else { return nil }
        let key = RevisionCache.DeltaKey(
            document: RevisionCache.DocumentKey(stored), from: source, to: document.revision)
        if let known = reader.cache[key] {
            // The difference may have been made for another reader, who sees more.
            guard reader.sight.view.sees(known.channels) else { return nil }
            counts.add { $0.hits += 1 }
            return counted(known.bytes)
        }
        guard let old = try await reader.deltaSource(source, stored: stored) else { return nil }
        counts.add { $0.misses += 1 }
        let delta = try DeltaBody.wireDifference(from: old.body, to: document.bodyWithAttachments)
        let until = try await reader.rememberedUntil(source, stored: stored)
        reader.cache.insert(key, delta: RevisionCache.Delta(bytes: delta, channels: old.channels, until: until))
        return counted(delta)
    }

    private func counted(_ delta: [UInt8]?) -> [UInt8]? {
        if delta != nil { counts.add { $0.sent += 1 } }
        return delta
    }

    /// The revisions to which clients push differences. Once these have enough bytes, the others are left out.
    func sources(_ sources: [DeltaSource]) async throws -> [[UInt8]?] {
        var bodies: [[UInt8]?] = []
        var bytes = 0
        for source in sources where bytes < PassiveLimits.sourceBytes {
            var body: [UInt8]?
            if let stored = try await reader.find(source.documentID) {
                body = try await reader.deltaSource(source.revision, stored: stored)?.body
            }
            bytes += body?.count ?? 0
            bodies.append(body)
        }
        return bodies
    }
}
