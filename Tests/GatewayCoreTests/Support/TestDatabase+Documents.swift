import DocumentValues
import Testing

@testable import GatewayCore

/// Writing and reading in one line each.
extension TestDatabase {
    /// An ordinary edit of the current revision, or of the one that is named.
    @discardableResult
    func put(
        _ id: String, _ body: JSONValue, as requester: Requester = .admin, replacing: String? = nil,
        in collection: CollectionName = TestDatabase.collection
    ) async throws -> WriteOutcome {
        var replaced = replacing.flatMap { RevisionID($0) }
        if replaced == nil {
            do { replaced = try await details(id, in: collection).revision.revision } catch let error as GatewayError
                where error.status == 404
            {}
        }
        return try await write(
            DocumentWrite(id: id, body: body.bytes, edit: .new(replacing: replaced)), as: requester, in: collection)
    }

    /// A revision made elsewhere; ancestors newest first.
    @discardableResult
    func push(
        _ id: String, _ revision: String, _ ancestors: [String] = [], _ body: JSONValue = [:],
        isDeleted: Bool = false, as requester: Requester = .admin
    ) async throws -> WriteOutcome {
        let history = RevisionHistory(ancestors.compactMap { RevisionID($0) })
        return try await write(
            DocumentWrite(
                id: id, body: body.bytes, edit: .existing(RevisionID(revision)!, history), isDeleted: isDeleted),
            as: requester)
    }

    @discardableResult
    func delete(_ id: String) async throws -> WriteOutcome { try await put(id, ["_deleted": true]) }

    func write(
        _ write: DocumentWrite, as requester: Requester = .admin,
        in collection: CollectionName = TestDatabase.collection
    ) async throws -> WriteOutcome {
        try await database.documents.write([write], in: collection, as: requester)[0].get()
    }

    /// A document with one attachment of so many equal bytes.
    func putAttachment(_ id: String, bytes count: Int, of byte: UInt8 = 1) async throws {
        let bytes = [UInt8](repeating: byte, count: count)
        let digest = BlobDigest(of: bytes)
        let attachment: JSONValue = ["follows": true, "digest": .string(digest.text)]
        let body: JSONValue = ["_attachments": ["f": attachment]]
        _ = try await write(
            DocumentWrite(id: id, body: body.bytes, edit: .new(replacing: nil), attachments: [digest: .bytes(bytes)]))
    }

    func details(
        _ id: String, in collection: CollectionName = TestDatabase.collection
    ) async throws -> DocumentDetails {
        try await database.documents.details(of: id, in: collection)
    }

    /// The current revision, or the status with which it is refused.
    func body(_ id: String, as requester: Requester = .admin) async throws -> String {
        do {
            let document = try await database.documents.read(id, in: Self.collection, as: requester)
            return String(decoding: document.body, as: UTF8.self)
        } catch let error as GatewayError {
            return "\(error.status)"
        }
    }

    /// The current revisions, redacted if the requester may not see them; `nil` for missing documents.
    func currentRevisions(_ ids: [String], as requester: Requester) async throws -> [DocumentRevision?] {
        try await database.documents.reading(Self.collection, as: requester) { reader in
            var found: [DocumentRevision?] = []
            for id in ids { found.append(try await reader.find(id).map(reader.sight.visible)) }
            return found
        }
    }

    /// All leaves, the highest first.
    func openRevisions(of id: String, as requester: Requester) async throws -> [OpenRevision] {
        var open: [OpenRevision] = []
        for leaf in try await database.documents.leaves(of: id, in: Self.collection, as: requester) {
            open.append(
                try await database.documents.openRevision(leaf.description, of: id, in: Self.collection, as: requester))
        }
        return open
    }

    // MARK: Changes

    func changes(
        _ request: ChangesRequest, as requester: Requester = .admin, limit: Int = .max
    ) async throws -> [FeedRow] {
        try await database.feeds.changes(request, as: requester).next(limit: limit).rows
    }

    /// All rows, requested in pages of so many, each from the end of the last one.
    func pages(of limit: Int, _ request: ChangesRequest, as requester: Requester) async throws -> [FeedRow] {
        var request = request
        var rows: [FeedRow] = []
        while true {
            let page = try await changes(request, as: requester, limit: limit)
            guard let last = page.last else { return rows }
            rows += page
            request.since = try #require(SequenceID(parsing: last.sequence.description))
        }
    }

    /// One line a row: `sequence id`, with `-` before the id if the client has to give the document up.
    func feed(
        _ requester: Requester = .admin, since: SequenceID = .zero, revocations: Bool = true, limit: Int = .max
    ) async throws -> [String] {
        let request = ChangesRequest(collection: Self.collection, since: since, revocations: revocations)
        return try await pages(of: limit, request, as: requester).map { row in
            let isLost = row.isDeleted || row.isRevoked || (row.isRemovedFromAll && !row.isVisibleOtherwise)
            return "\(row.sequence) \(isLost ? "-" : "")\(row.id)"
        }
    }

    // MARK: Principals

    func putUser(
        _ name: String, channels: [String] = [], roles: [String] = [], more: JSONObject = [:]
    ) async throws {
        var json = more
        json["password"] = "letmein"
        json["admin_channels"] = .array(channels.map { .string($0) })
        json["admin_roles"] = .array(roles.map { .string($0) })
        _ = try await database.principals.putUser(Name(name), json: json.bytes)
    }

    /// Changes an existing user; sessions and password stay.
    func grant(_ name: String, channels: [String]? = nil, roles: [String]? = nil) async throws {
        var json = JSONObject()
        if let channels { json["admin_channels"] = .array(channels.map { .string($0) }) }
        if let roles { json["admin_roles"] = .array(roles.map { .string($0) }) }
        _ = try await database.principals.putUser(Name(name), json: json.bytes)
    }

    func putRole(_ name: String, channels: [String]) async throws {
        let json: JSONObject = ["admin_channels": .array(channels.map { .string($0) })]
        _ = try await database.principals.putRole(Name(name), json: json.bytes)
    }

    func channels(of user: String) async throws -> Set<String> {
        let list = try await database.principals.user(Name(user))["all_channels"]?.arrayValue
        return Set((list ?? []).compactMap(\.stringValue)).subtracting(["!"])
    }

    // MARK: Storage

    func count(_ rows: CountedRows) async throws -> Int { try await store.count(rows) }

    /// Replaces the body or the tree of a document's row, without a decision on it: all else of the row stays.
    func replaceStored(
        _ id: String, body: String? = nil, tree: RevisionTree? = nil, in collection: Int64 = 1
    ) async throws {
        try await database.store.write { transaction in
            let stored = try #require(try await transaction.reader.documents.find(id, in: collection))
            let old = stored.row
            let row = DocumentRow(
                sequence: old.sequence, revision: old.revision, isDeleted: old.isDeleted, channels: old.channels,
                tree: tree ?? old.tree, expires: old.expires, grants: old.grants, attachments: old.attachments,
                body: body.map { Array($0.utf8) } ?? old.body)
            let target = DocumentRowChange.Target.row(number: stored.number, sequence: old.sequence)
            _ = try await transaction.documents.put(
                [DocumentRowChange(target: target, row: row, entries: .test())], in: collection)
        }
    }
}
