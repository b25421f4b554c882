import DocumentValues

/// A transaction of the store: what it writes becomes visible with its commit, and is gone with a throw.
protocol StoreTransaction: AnyObject {
    /// The state that this transaction sees, with what it has written so far.
    var reader: any StoreReader { get }

    var documents: any DocumentWrites { get }
    var branches: any BranchWrites { get }
    var oldRevisions: any OldRevisionWrites { get }
    var attachments: any AttachmentWrites { get }
    var replacedAttachments: any ReplacedAttachmentWrites { get }
    var localDocuments: any LocalDocumentWrites { get }
    var principals: any PrincipalWrites { get }
    var grants: any GrantWrites { get }
    var sessions: any SessionWrites { get }
    var properties: any PropertyWrites { get }

    /// The lists of a collection's channels.
    func feed(of collection: Int64) -> any FeedWrites

    /// Takes so many sequences, one after the other. They are taken only here, so that they become visible in their order.
    func nextSequences(_ count: Int) async throws -> Range<UInt64>

    /// Those who wait for a user or a role (`role:…`) are notified of a change with the commit, and caches drop it.
    func noteChange(ofPrincipal name: Name)

    /// Whether a write that shares the commit, and came before this one, has changed a user or a role.
    func hasChanged(principal name: Name) -> Bool

    func setConfiguration(_ configuration: StoredConfiguration) async throws

    /// The number by which a collection is stored; it gets one where it has none.
    func number(of collection: CollectionName) async throws -> Int64
}

extension StoreTransaction {
    func nextSequence() async throws -> UInt64 { try await nextSequences(1).lowerBound }
}
