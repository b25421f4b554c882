import DocumentValues

/// A transaction of the store: its writes become visible with the commit, and are undone by an error.
protocol StoreTransaction: AnyObject {
    /// The state that this transaction sees, including its own writes so far.
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

    /// Takes so many consecutive sequences. Sequences are only taken within transactions, so that they become visible in
    /// their order.
    func nextSequences(_ count: Int) async throws -> Range<UInt64>

    /// Feeds that wait for a user or a role (`role:…`) are notified with the commit, and caches drop it.
    func noteChange(ofPrincipal name: Name)

    /// Whether an earlier write of the same commit has changed a user or a role.
    func hasChanged(principal name: Name) -> Bool

    func setConfiguration(_ configuration: StoredConfiguration) async throws

    /// The number by which a collection is stored; a new one if it has none.
    func number(of collection: CollectionName) async throws -> Int64
}

extension StoreTransaction {
    func nextSequence() async throws -> UInt64 { try await nextSequences(1).lowerBound }
}
