import DocumentValues

/// A transaction of the store: its writes become visible with the commit, and are undone by an error. It is used as a
/// reader is, and by one write.
protocol StoreTransaction: AnyObject {
    /// The state that this transaction sees, including its own writes so far, and those of the writes before it that share its
    /// commit.
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

    /// Takes so many consecutive sequences, the first of a database being 1. Sequences are only taken within transactions, so
    /// that they become visible in their order: a reader that sees a sequence sees all lower ones that will ever be used. Those
    /// of a write that was undone may be taken again or stay unused.
    ///
    /// - Returns: an empty range at the next sequence if `count` is 0.
    func nextSequences(_ count: Int) async throws -> Range<UInt64>

    /// Feeds and connections that wait for a user or a role (`role:…`) are notified with the commit, and caches drop it.
    ///
    /// A commit with such a change has a sequence of its own, by which those who begin to wait later distinguish it from
    /// the state that they have read. The engine takes one if no write of the commit did.
    func noteChange(ofPrincipal name: Name)

    /// Whether an earlier write of the same commit has changed a user or a role. An engine that commits each write by itself
    /// answers false.
    func hasChanged(principal name: Name) -> Bool

    /// Replaces the configuration with its number and its times, all three together. It compares no numbers: that the number is
    /// the next one is decided by the caller, which reads the former one in the same transaction.
    func setConfiguration(_ configuration: StoredConfiguration) async throws

    /// The number by which a collection is stored; a new one, above 0, if it has none. Names of scopes and collections are
    /// unique together, by their bytes; a number is given once and never changes.
    func number(of collection: CollectionName) async throws -> Int64
}

extension StoreTransaction {
    func nextSequence() async throws -> UInt64 { try await nextSequences(1).lowerBound }
}
