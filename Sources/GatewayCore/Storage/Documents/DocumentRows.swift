import AccessControl
import DocumentValues

/// The documents of a store, one row each, tombstones included. In a collection an id is unique; a number is unique in the
/// whole store, and higher than those of all documents that are stored when it is given. Sequences are not checked: that two
/// documents have none in common follows from `StoreTransaction.nextSequences`.
protocol DocumentRows {
    /// `nil` if there is no document, as in the other methods.
    func find(_ id: String, in collection: Int64, bodies: BodyReading) async throws -> StoredDocument?

    /// In any collection, with its body.
    func find(number: Int64) async throws -> StoredDocument?

    /// Calls `body` for each id with its index, and with the document and the content of all its leaves; with `nil` if there
    /// is no document. The order is any. Documents come one at a time, so that refused ones do not stay in memory.
    func forEachState(
        of ids: [String], in collection: Int64, _ body: (Int, DocumentState?) throws -> Void
    ) async throws

    /// Documents by their numbers, the lowest above `number` first, with their bodies; fewer than the limit are the last ones.
    func page(in collection: Int64, after number: Int64, limit: Int) async throws -> [StoredDocument]

    /// Documents in the order of the bytes of their ids, until `body` returns false or throws. Both ends are included. It does
    /// not hold all of them in memory at once.
    ///
    /// - Parameters:
    ///   - start: the first id; `nil` to begin with the first document. `end` is the last one.
    ///   - body: it may wait, and it may read other rows of the same state, also by this method.
    func forEach(
        in collection: Int64, from start: String?, through end: String?, bodies: BodyReading,
        _ body: (StoredDocument) async throws -> Bool
    ) async throws

    // MARK: Parts of a row

    /// Whether a collection has no document, not even a tombstone.
    func isEmpty(collection: Int64) async throws -> Bool

    /// The number of a document's row.
    func number(of id: String, in collection: Int64) async throws -> Int64?

    /// One entry for each id, in their order; an id may be named more than once.
    func sequences(of ids: [String], in collection: Int64) async throws -> [UInt64?]

    /// The channels of existing documents, by the documents' numbers; without those that are not stored.
    func channels(of numbers: [Int64]) async throws -> [Int64: DocumentChannels]

    /// Calls `body` for each id, in their order, with its index and the document's tree; with `nil` if there is no
    /// document. Trees come one at a time, since a tree may have tens of thousands of revisions, and a request may name
    /// it thousands of times.
    func forEachTree(
        of ids: [String], in collection: Int64, _ body: (Int, RevisionTree?) throws -> Void
    ) async throws

    /// One entry for each id, in their order; an id may be named more than once.
    func heads(of ids: [String], in collection: Int64) async throws -> [DocumentHead?]

    // MARK: Expiry

    /// Documents of all collections that expire at this time or before, in their order.
    ///
    /// - Parameter previous: the document behind which they begin; `nil` for the first ones. It need not be there any more.
    func due(by time: Int64, after previous: DueDocument?, limit: Int) async throws -> [DueDocument]

    /// When the next document of any collection expires, in seconds since 1970; `nil` if none does.
    func nextExpiry() async throws -> Int64?
}

/// Which bodies are read with the rest of their rows; the others are left empty.
enum BodyReading: Sendable, Hashable {
    case all
    case none
    /// Bodies with at most so many bytes.
    case upTo(Int)
}

extension DocumentRows {
    func find(_ id: String, in collection: Int64) async throws -> StoredDocument? {
        try await find(id, in: collection, bodies: .all)
    }

    func sequence(of id: String, in collection: Int64) async throws -> UInt64? {
        try await sequences(of: [id], in: collection).first ?? nil
    }
}

/// A document's current revision, without its body.
struct DocumentHead: Sendable {
    let revision: RevisionID
    let isDeleted: Bool
}
