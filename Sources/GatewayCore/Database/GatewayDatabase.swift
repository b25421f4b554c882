import DocumentValues

/// One database of the gateway: its documents, principals and sessions, on one SQLite file.
package final class GatewayDatabase: Sendable {
    package let name: String
    /// Microseconds since 1970.
    package let startTime: Int64

    package enum State: String, Sendable { case online = "Online", offline = "Offline" }

    package var state: State { fatalError("to come") }
    package var lastSequence: UInt64 { fatalError("to come") }
    package var collections: [CollectionName] { fatalError("to come") }

    init() { fatalError("to come") }

    // MARK: Configuration

    /// The configuration as `_config` shows it, and its version for `Etag` and `If-Match` (without quotation marks).
    package func configuration() -> (json: JSONObject, version: String) { fatalError("to come") }

    /// Takes over a new configuration (the JSON of `PUT /{db}/`); with `merging` only the members it has.
    package func configure(_ json: [UInt8], merging: Bool, ifMatch: String? = nil) async throws -> String {
        fatalError("to come")
    }

    /// The text of a collection's sync function; empty where the default applies.
    package func syncFunction(of collection: CollectionName) throws -> String { fatalError("to come") }

    package func setSyncFunction(_ text: String?, of collection: CollectionName) async throws { fatalError("to come") }

    package func goOffline() async throws { fatalError("to come") }
    package func goOnline() async throws { fatalError("to come") }

    /// Throws 404 `keyspace db.scope.collection not found`, or 503 while offline.
    package func check(_ collection: CollectionName) throws { fatalError("to come") }

    // MARK: Documents

    /// Stores documents, several in one transaction, and answers when it is durable; one result a write, in order.
    package func write(
        _ writes: [DocumentWrite], in collection: CollectionName, as requester: Requester
    ) async -> [Result<WriteOutcome, GatewayError>] { fatalError("to come") }

    /// Without `revision` the current one: 403 where the reader may not see it, 404 where it is deleted. With one it is
    /// redacted instead.
    package func read(
        _ id: String, revision: RevisionID? = nil, in collection: CollectionName, as requester: Requester
    ) async throws -> DocumentRevision { fatalError("to come") }

    /// Several revisions in one read; a failure has the place of its row.
    package func read(
        _ wanted: [(id: String, revision: RevisionID?)], in collection: CollectionName, as requester: Requester
    ) async throws -> [Result<DocumentRevision, GatewayError>] { fatalError("to come") }

    /// `open_revs`: all leaves, or the ones asked for.
    package func openRevisions(
        of id: String, _ revisions: [String]?, in collection: CollectionName, as requester: Requester
    ) async throws -> [OpenRevision] { fatalError("to come") }

    package func details(of id: String, in collection: CollectionName) async throws -> DocumentDetails {
        fatalError("to come")
    }

    package func allDocuments(
        _ request: AllDocumentsRequest, in collection: CollectionName, as requester: Requester
    ) async throws -> [AllDocumentsRow] { fatalError("to come") }

    /// Revision ids as text: malformed ones count as missing. Documents with nothing missing are left out.
    package func missingRevisions(
        _ asked: [(id: String, revisions: [String])], in collection: CollectionName
    ) async throws -> [MissingRevisions] { fatalError("to come") }

    package func judge(
        _ proposals: [Proposal], in collection: CollectionName
    ) async throws -> [ProposalVerdict] { fatalError("to come") }

    /// Erases documents without a trace in the feed; returns those that were there.
    package func purge(_ ids: [String], in collection: CollectionName) async throws -> [String] {
        fatalError("to come")
    }

    // MARK: Attachments

    /// The content of one of a document's attachments, to be read piece by piece; 404 if it is not there.
    package func attachment(
        _ digest: BlobDigest, of id: String, in collection: CollectionName
    ) async throws -> AttachmentReader { fatalError("to come") }

    /// Which of these the document has stored.
    package func storedAttachments(
        _ digests: Set<BlobDigest>, of id: String, in collection: CollectionName
    ) async throws -> Set<BlobDigest> { fatalError("to come") }

    // MARK: Local documents

    package func localDocument(_ id: String, in collection: CollectionName) async throws -> LocalDocument? {
        fatalError("to come")
    }

    /// Returns the new revision. 409 if `revision` is not the stored one, 404 if one is named but nothing is stored.
    package func putLocalDocument(
        _ id: String, body: [UInt8], revision: String?, in collection: CollectionName
    ) async throws -> String { fatalError("to come") }

    package func deleteLocalDocument(
        _ id: String, revision: String?, in collection: CollectionName
    ) async throws { fatalError("to come") }

    // MARK: Changes

    package func changes(_ request: ChangesRequest, as requester: Requester) throws -> ChangesFeed {
        fatalError("to come")
    }
}
