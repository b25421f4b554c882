import AccessControl
import DocumentValues

/// Reading documents.
extension DocumentService {
    /// Runs `body` with a reader that has the requester's view, on one state of the database.
    ///
    /// - Parameter ids: the documents of which only current leaves are read; `nil` if that is not known.
    func reading<Value: Sendable>(
        _ collection: CollectionName, as requester: Requester, of ids: [String]? = nil,
        body: @escaping @Sendable (DocumentReader) throws -> Value
    ) async throws -> Value {
        let number = try self.collection(collection).number
        let (view, _) = try await views.view(of: requester, in: collection)
        let cache = revisions
        @Sendable func read(_ store: StoreReader) throws -> Value {
            try body(DocumentReader(store: store, collection: number, view: view, cache: cache))
        }
        guard let ids, ids.count <= GatewayLimits.rowsReadInPlace else {
            return try await store.read(for: requester.account) { try read($0) }
        }
        return try await store.read(
            for: requester.account, bytes: { try $0.documents.bytes(of: ids, in: number) }
        ) { try read($0) }
    }

    /// Without `revision` the current one: 403 if the reader may not see it, 404 if it is deleted. A given revision is
    /// redacted instead.
    package func read(
        _ id: String, revision: RevisionID? = nil, in collection: CollectionName, as requester: Requester
    ) async throws -> DocumentRevision {
        // An earlier revision may be larger than the document is now.
        try await reading(collection, as: requester, of: revision == nil ? [id] : nil) { reader in
            try revision.map { try reader.revision($0, of: id) } ?? reader.current(id)
        }
    }

    /// Several revisions in one read; a failure is in the position of its row.
    package func read(
        _ wanted: [(id: String, revision: RevisionID?)], in collection: CollectionName, as requester: Requester
    ) async throws -> [Result<DocumentRevision, GatewayError>] {
        let isCurrent = wanted.allSatisfy { $0.revision == nil }
        return try await reading(collection, as: requester, of: isCurrent ? wanted.map(\.id) : nil) { reader in
            wanted.map { id, revision in
                Result { try revision.map { try reader.revision($0, of: id) } ?? reader.current(id) }
                    .mapError { GatewayError($0) }
            }
        }
    }

    /// The current revisions, also tombstones, redacted if the reader may not see them; `nil` for documents that do not
    /// exist.
    func currentRevisions(
        _ ids: [String], in collection: CollectionName, as requester: Requester
    ) async throws -> [DocumentRevision?] {
        try await reading(collection, as: requester, of: ids) { reader in
            try ids.map { id in try reader.find(id).map(reader.visible) }
        }
    }

    /// The leaves of a document, the highest first.
    package func leaves(
        of id: String, in collection: CollectionName, as requester: Requester
    ) async throws -> [RevisionID] {
        try await reading(collection, as: requester, of: [id]) { try $0.leaves(of: id) }
    }

    /// One of `open_revs`; an invalid id counts as that of no revision.
    package func openRevision(
        _ revision: String, of id: String, in collection: CollectionName, as requester: Requester
    ) async throws -> OpenRevision {
        try await reading(collection, as: requester) { try $0.openRevision(revision, of: id) }
    }

    package func details(of id: String, in collection: CollectionName) async throws -> DocumentDetails {
        try await reading(collection, as: .admin) { reader in
            guard let stored = try reader.find(id) else { throw GatewayError.missing }
            return DocumentDetails(
                revision: reader.visible(stored), tree: stored.tree, channels: stored.channels,
                grantedChannels: stored.grants.channels, grantedRoles: stored.grants.roles)
        }
    }

    /// As many as fit on one page.
    package func allDocuments(
        _ request: AllDocumentsRequest, in collection: CollectionName, as requester: Requester
    ) async throws -> AllDocumentsPage {
        try await reading(collection, as: requester) { reader in
            guard let keys = request.keys else { return try reader.documents(request) }
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
                do { row = .document(try reader.current(key, readsBody: request.includesDocuments)) } catch {
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
        body: @escaping @Sendable (_ documents: DocumentRows, _ collection: Int64) throws -> Value
    ) async throws -> Value {
        let number = try self.collection(collection).number
        return try await store.read(for: requester.account) { try body($0.documents, number) }
    }

    /// Revision ids as text: malformed ones count as missing. Documents with nothing missing are left out.
    package func missingRevisions(
        _ asked: [(id: String, revisions: [String])], in collection: CollectionName, for requester: Requester
    ) async throws -> [MissingRevisions] {
        try await comparing(in: collection, for: requester) { documents, collection in
            var rows: [MissingRevisions] = []
            let ids = asked.lazy.map(\.id)
            try documents.forEachTree(of: ids, in: collection) { index, stored in
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
            let ids = announced.lazy.map(\.id)
            try documents.forEachTree(of: ids, in: collection) { index, tree in
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
            let heads = try documents.heads(of: proposals.map(\.id), in: collection)
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
    /// Live documents that the reader sees, in the order of their ids.
    fileprivate func documents(_ request: AllDocumentsRequest) throws -> AllDocumentsPage {
        var page = AllDocumentsPage(limit: request.limit)
        guard !page.isFull else { return page }
        // No body is read if the reader may not see it.
        let readsBodies = request.includesDocuments && view.seesAll
        try store.documents.forEach(
            in: collection, from: request.startKey, through: request.endKey, readsBody: readsBodies
        ) { stored in
            page.look(at: stored.id)
            guard !stored.isDeleted, isVisible(stored) else { return !page.isFull }
            let isPart = request.includesDocuments && !readsBodies
            let document = isPart ? try find(stored.id) ?? stored : stored
            page.append(.document(visible(document).forList(request)))
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
