import DocumentStore
import DocumentValues
import FieldModels

/// Deletions that name another user as the creator of the record. A gateway that was restored from a backup may have lost a
/// record, and then accepts its deletion from any user who claims to have made it.
extension Deletions {
    /// Brings back the author's records that such a deletion has taken from the laptop, as an edit beats a deletion. Other
    /// laptops leave this to the author's, since a record that comes back belongs to the person who brings it back. A finding
    /// whose inspection stays deleted is left in the list of deletions by others.
    ///
    /// Not during a sync, which keeps a record a moment before it deletes it.
    ///
    /// - Returns: the number of records that were brought back.
    @discardableResult
    public func bringBackClaimed(by author: Author) throws -> Int {
        guard let name = author.name else { return 0 }
        return try database.inBatch {
            let claimed = try elsewhere().filter { try isClaimed($0, from: name) }
            var returned: Set<RecordReference> = []
            // A finding comes back with its inspection.
            for record in claimed.filter({ $0.kind != .finding }) + claimed.filter({ $0.kind == .finding }) {
                if try isOfDeletedInspection(record) { continue }
                _ = try reversal.bringBack(record.kind, id: record.id, body: record.body, by: author)
                returned.insert(record.reference)
            }
            guard !returned.isEmpty else { return 0 }
            try forget { returned.contains($0.reference) }
            try journal.noteWhole("undo of a deletion by others", by: author)
            try bringBackTiedFindings(by: author)
            return returned.count
        }
    }

    private func isClaimed(_ record: DeletedRecord, from creator: String) throws -> Bool {
        guard record.body["createdBy"]?.stringValue?.isExactly(creator) == true,
            let deletion = try collection(of: record.kind).bodies(of: [record.id])[0],
            let named = JSONObject.readable(deletion.body)?["createdBy"]?.stringValue
        else { return false }
        return !named.isExactly(creator)
    }

    private func isOfDeletedInspection(_ record: DeletedRecord) throws -> Bool {
        guard record.kind == .finding, let inspection = record.body["inspection"]?.stringValue else { return false }
        return try isDeleted(.inspection, id: inspection)
    }
}
