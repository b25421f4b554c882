import AccessControl
import DocumentValues

/// Writes the rows of documents, with the entries of the channels' lists that follow from them.
protocol DocumentWrites {
    /// Stores the documents of a round of a push, or a single one, in this order.
    ///
    /// - Returns: the number of each row.
    func put(_ changes: [DocumentChange], in collection: Int64) async throws -> [Int64]

    /// Replaces the document's channels and its expiry; its revision stays.
    func replaceAccess(by change: DocumentChange, in collection: Int64) async throws

    /// Deletes the row alone.
    func delete(number: Int64) async throws
}

/// The new content of a document's row; its id, its collection and its number stay.
struct DocumentRow {
    let sequence: UInt64
    let revision: RevisionID
    let isDeleted: Bool
    let channels: DocumentChannels
    let tree: RevisionTree
    /// Seconds since 1970.
    let expires: Int64?
    let grants: DocumentGrants
    let attachments: JSONObject?
    let body: [UInt8]
}

/// The change of a document, and of its entries in the channels' lists.
struct DocumentChange {
    enum Target {
        /// There is no row of this id.
        case new(id: String)
        /// - Parameter sequence: the document's sequence before the change, which its entries have.
        case row(number: Int64, sequence: UInt64)

        init(_ stored: StoredDocument?, id: String) {
            self = if let stored { .row(number: stored.number, sequence: stored.sequence) } else { .new(id: id) }
        }
    }

    let target: Target
    let row: DocumentRow
    let entries: DocumentChannels.EntryChanges
}
