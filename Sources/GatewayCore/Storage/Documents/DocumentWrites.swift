import AccessControl
import DocumentValues

/// Writes the rows of documents, with the entries of the channels' lists that follow from them. `DocumentRowChange` says which.
protocol DocumentWrites {
    /// Stores the documents of a round of a push, or a single one, in this order, with their entries. No document is among them
    /// twice: a second row of an id is an error, after which nothing of the round is stored.
    ///
    /// A row that is replaced keeps its id, its collection and its number, and nothing else. That the row is still the one that
    /// the change was decided on is not compared here: the caller has read it in the same transaction.
    ///
    /// - Returns: the number of each row, in the order of the changes.
    func put(_ changes: [DocumentRowChange], in collection: Int64) async throws -> [Int64]

    /// Replaces the sequence, the channels, the grants and the expiry of a stored document, and changes its entries. All
    /// else of its row stays, whatever `change.row` has. A new document is an error (`GatewayError.noAccessToReplace`).
    func replaceAccess(by change: DocumentRowChange, in collection: Int64) async throws

    /// Deletes the row alone: the entries, attachments and other revisions of the document have been deleted before.
    /// Does nothing if there is none.
    func delete(number: Int64) async throws
}

/// The change of a document, and of its entries in the channels' lists. In each channel a document has at most one entry, its
/// latest: while it is in the channel, at the document's own sequence; behind that, at the sequence with which it left.
///
/// The engine deletes the entries of `entries.replacedRemovals` (in their channels, at the ends of their spans). In each
/// channel of `entries.entered` and `entries.left` it replaces the entry at the document's former sequence, if there is one,
/// by one at `row.sequence`; for those that it left, the entry keeps the revision of `row` and whether that is a tombstone.
/// The other entries stay. All these channels, and `*`, are noted as changed at `row.sequence` (`FeedWrites.noteChange`). The
/// list of `*` has no entries: it consists of the documents themselves.
struct DocumentRowChange {
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
    /// The new content of the row.
    let row: DocumentRow
    let entries: DocumentChannels.EntryChanges
}
