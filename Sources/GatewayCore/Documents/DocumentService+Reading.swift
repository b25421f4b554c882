import AccessControl
import DocumentValues

/// Reading documents.
extension DocumentService {
    /// Runs `body` with a reader for the requester's eyes, on one state of the database.
    func reading<Value: Sendable>(
        _ collection: CollectionName, as requester: Requester,
        body: @escaping @Sendable (DocumentReader) async throws -> Value
    ) async throws -> Value {
        let number = try self.collection(collection).number
        let (view, _) = try await views.view(of: requester, in: collection)
        let cache = revisions
        return try await store.read(for: requester.account) { store in
            try await body(DocumentReader(store: store, collection: number, view: view, cache: cache))
        }
    }

    /// The rows of documents, and what the requester sees of them; a few small ones are read where the caller is.
    private func present(
        _ ids: [String], in collection: CollectionName, as requester: Requester
    ) async throws -> (DocumentSight, [StoredDocument?]) {
        let number = try self.collection(collection).number
        let sight = DocumentSight(view: try await views.view(of: requester, in: collection).0)
        if ids.count <= GatewayLimits.rowsReadInPlace, let inPlace = store.inPlace {
            switch try inPlace.states(of: ids, in: number, upTo: GatewayLimits.bytesReadInPlace) {
            case .found(let states): return (sight, states.map { $0?.stored })
            case .tooLarge: break
            }
        }
        let cache = revisions
        let found = try await store.read(for: requester.account) { store in
            let reader = DocumentReader(store: store, collection: number, view: sight.view, cache: cache)
            var found: [StoredDocument?] = []
            for id in ids { found.append(try await reader.find(id)) }
            return found
        }
        return (sight, found)
    }

    /// Without `revision` the current one: 403 if the reader may not see it, 404 if it is deleted. A given revision is
    /// redacted instead.
    package func read(
        _ id: String, revision: RevisionID? = nil, in collection: CollectionName, as requester: Requester
    ) async throws -> DocumentRevision {
        // An earlier revision may be larger than the document is now.
        if let revision {
            return try await reading(collection, as: requester) { try await $0.revision(revision, of: id) }
        }
        let (sight, found) = try await present([id], in: collection, as: requester)
        guard IncomingDocument.isValid(id) else { throw GatewayError.invalidDocumentID }
        return try sight.current(found.first ?? nil)
    }

    /// Several revisions in one read; a failure is in the position of its row.
    package func read(
        _ wanted: [(id: String, revision: RevisionID?)], in collection: CollectionName, as requester: Requester
    ) async throws -> [Result<DocumentRevision, GatewayError>] {
        if wanted.count <= GatewayLimits.rowsReadInPlace, wanted.allSatisfy({ $0.revision == nil }) {
            return try await current(wanted.map(\.id), in: collection, as: requester)
        }
        return try await reading(collection, as: requester) { reader in
            var found: [Result<DocumentRevision, GatewayError>] = []
            for (id, revision) in wanted {
                do { found.append(.success(try await reader.read(id, revision: revision))) } catch {
                    found.append(.failure(GatewayError(error)))
                }
            }
            return found
        }
    }

    private func current(
        _ ids: [String], in collection: CollectionName, as requester: Requester
    ) async throws -> [Result<DocumentRevision, GatewayError>] {
        let (sight, found) = try await present(ids, in: collection, as: requester)
        return zip(ids, found).map { id, stored in
            guard IncomingDocument.isValid(id) else { return .failure(.invalidDocumentID) }
            return Result { () throws(GatewayError) in try sight.current(stored) }
        }
    }

    /// The current revisions, also tombstones, redacted if the reader may not see them; `nil` for documents that do not
    /// exist.
    func currentRevisions(
        _ ids: [String], in collection: CollectionName, as requester: Requester
    ) async throws -> [DocumentRevision?] {
        let (sight, found) = try await present(ids, in: collection, as: requester)
        return found.map { $0.map(sight.visible) }
    }

    /// The leaves of a document, the highest first.
    package func leaves(
        of id: String, in collection: CollectionName, as requester: Requester
    ) async throws -> [RevisionID] {
        let (_, found) = try await present([id], in: collection, as: requester)
        guard let stored = found.first ?? nil else { throw GatewayError.missing }
        return stored.tree.leaves.map(\.revision).winnersFirst
    }

    /// One of `open_revs`; an invalid id counts as that of no revision.
    package func openRevision(
        _ revision: String, of id: String, in collection: CollectionName, as requester: Requester
    ) async throws -> OpenRevision {
        try await reading(collection, as: requester) { try await $0.openRevision(revision, of: id) }
    }

    package func details(of id: String, in collection: CollectionName) async throws -> DocumentDetails {
        try await reading(collection, as: .admin) { reader in
            guard let stored = try await reader.find(id) else { throw GatewayError.missing }
            return DocumentDetails(
                revision: reader.sight.visible(stored), tree: stored.tree, channels: stored.channels,
                grantedChannels: stored.grants.channels, grantedRoles: stored.grants.roles)
        }
    }

    /// As many as fit on one page.
    package func allDocuments(
        _ request: AllDocumentsRequest, in collection: CollectionName, as requester: Requester
    ) async throws -> AllDocumentsPage {
        try await reading(collection, as: requester) { reader in
            guard let keys = request.keys else { return try await reader.documents(request) }
            var page = AllDocumentsPage(limit: request.limit)
            // A document may have thousands of attachments and channels, and be named thousands of times.
            var known: [Name: AllDocumentsRow] = [:]
            for key in keys where !page.isFull {
                page.look(at: key)
                if let row = known[Name(key)] {
                    page.append(row, isRepeated: !request.includesDocuments)
                    continue
                }
                let row: AllDocumentsRow
                do {
                    row = .document(try await reader.current(key, readsBody: request.includesDocuments))
                } catch {
                    row = .failed(key: key, GatewayError(error))
                }
                known[Name(key)] = row
                page.append(row)
            }
            return page
        }
    }

    // MARK: - Comparing

    /// Reads the documents for a comparison, whether or not the requester may see them, on the requester's account.
    private func comparing<Value: Sendable>(
        in collection: CollectionName, for requester: Requester,
        body: @escaping @Sendable (_ documents: any DocumentRows, _ collection: Int64) async throws -> Value
    ) async throws -> Value {
        let number = try self.collection(collection).number
        return try await store.read(for: requester.account) { try await body($0.documents, number) }
    }

    /// Revision ids as text: malformed ones count as missing. Documents with nothing missing are left out.
    package func missingRevisions(
        _ asked: [(id: String, revisions: [String])], in collection: CollectionName, for requester: Requester
    ) async throws -> [MissingRevisions] {
        try await comparing(in: collection, for: requester) { documents, collection in
            var rows: [MissingRevisions] = []
            try await documents.forEachTree(of: asked.map(\.id), in: collection) { index, stored in
                let (id, revisions) = asked[index]
                let tree = stored ?? RevisionTree()
                let missing = tree.missing(of: revisions)
                guard !missing.isEmpty || stored == nil else { return }
                let ancestors = tree.possibleAncestors(of: missing, asked: revisions)
                rows.append(MissingRevisions(id: id, missing: missing, possibleAncestors: ancestors))
            }
            return rows
        }
    }

    /// Which announced revisions are unknown here: for each `nil` if it is known, else its possible ancestors.
    func missing(
        _ announced: [(id: String, revision: String)], in collection: CollectionName, for requester: Requester
    ) async throws -> [[RevisionID]?] {
        try await comparing(in: collection, for: requester) { documents, collection in
            var answers: [[RevisionID]?] = []
            answers.reserveCapacity(announced.count)
            try await documents.forEachTree(of: announced.map(\.id), in: collection) { index, tree in
                answers.append(Self.possibleAncestors(of: announced[index].revision, in: tree))
            }
            return answers
        }
    }

    /// `nil` if the revision exists.
    private static func possibleAncestors(of text: String, in tree: RevisionTree?) -> [RevisionID]? {
        guard let tree else { return [] }
        if let revision = RevisionID(text), tree.contains(revision) { return nil }
        return tree.possibleAncestors(of: [text], asked: [text])
    }

    package func judge(
        _ proposals: [Proposal], in collection: CollectionName, for requester: Requester
    ) async throws -> [ProposalVerdict] {
        try await comparing(in: collection, for: requester) { documents, collection in
            let heads = try await documents.heads(of: proposals.map(\.id), in: collection)
            return zip(proposals, heads).map { Self.verdict($0, current: $1) }
        }
    }

    /// The order of these checks is the protocol's (§4.8).
    private static func verdict(_ proposal: Proposal, current: DocumentHead?) -> ProposalVerdict {
        guard let current else { return .wanted }
        if proposal.revision == current.revision {
            return isTaken(proposal, by: current) ? .conflict(current: current.revision) : .known
        }
        if proposal.replacing == current.revision { return .wanted }
        if proposal.replacing == nil, current.isDeleted { return .wanted }
        return .conflict(current: current.revision)
    }

    /// Whether the proposed revision can only be a deletion, which the row does not show, and a live revision has its
    /// id here.
    private static func isTaken(_ proposal: Proposal, by current: DocumentHead) -> Bool {
        guard !current.isDeleted, let replaced = proposal.replacing else { return false }
        return RevisionDigest.isDeletion(proposal.revision, of: replaced)
    }
}

extension DocumentReader {
    /// Without `revision` the current one.
    fileprivate func read(_ id: String, revision: RevisionID?) async throws -> DocumentRevision {
        if let revision { return try await self.revision(revision, of: id) }
        return try await current(id)
    }

    /// Live documents that the reader sees, in the order of their ids.
    fileprivate func documents(_ request: AllDocumentsRequest) async throws -> AllDocumentsPage {
        var page = AllDocumentsPage(limit: request.limit)
        guard !page.isFull else { return page }
        // Of what may not be seen no body is read.
        let readsBodies = request.includesDocuments && sight.view.seesAll
        try await store.documents.forEach(
            in: collection, from: request.startKey, through: request.endKey, bodies: readsBodies ? .all : .none
        ) { stored in
            page.look(at: stored.id)
            guard !stored.isDeleted, sight.isVisible(stored) else { return !page.isFull }
            let isPart = request.includesDocuments && !readsBodies
            let document = isPart ? try await find(stored.id) ?? stored : stored
            page.append(.document(sight.visible(document).forList(request)))
            return !page.isFull
        }
        return page
    }
}

extension DocumentRevision {
    /// Without its content if only ids and revisions are requested.
    fileprivate func forList(_ request: AllDocumentsRequest) -> DocumentRevision {
        guard !request.includesDocuments else { return self }
        return DocumentRevision(
            id: id, revision: revision, isDeleted: isDeleted, isRedacted: isRedacted, body: [], sequence: sequence,
            channels: channels)
    }
}
