import DocumentValues

/// One state of the store for as long as it is read: every row comes from the same commit.
///
/// It offers typed rows by their kind (`reader.principals.find(name:)`). A method that is synchronous satisfies any of their
/// requirements. It is only used within the body that gets it, one call after the other, except where a method says that
/// its own body may call others.
///
/// A document, a collection and a channel's list are found by numbers that the engine gives: above 0, and never changed. A
/// later document may get the number of one that was deleted.
protocol StoreReader {
    var documents: any DocumentRows { get }
    var branches: any BranchRows { get }
    var oldRevisions: any OldRevisionRows { get }
    var feed: any FeedRows { get }
    var attachments: any AttachmentRows { get }
    var localDocuments: any LocalDocumentRows { get }
    var principals: any PrincipalRows { get }
    var grants: any GrantRows { get }
    var sessions: any SessionRows { get }
    var properties: any PropertyRows { get }

    /// What the last `setConfiguration` wrote; `nil` in a database whose creation was not finished.
    func configuration() async throws -> StoredConfiguration?

    /// All collections that there have ever been, by their numbers, including those out of service. None is ever deleted.
    func collections() async throws -> [Int64: CollectionName]

    /// The name of a collection, which may be out of service.
    func collection(_ number: Int64) async throws -> CollectionName?
}

extension StoreReader {
    /// A document with the content of all its leaves. For a document without branches, nothing more is read.
    func state(of stored: StoredDocument) async throws -> DocumentState {
        DocumentState(stored: stored, branches: stored.tree.isLine ? [] : try await branches.all(of: stored))
    }
}
