import DocumentStore
import DocumentValues
import FieldModels

extension FieldDatabase {
    /// Deletes findings of an inspection that is still open, in one transaction. What is not as it is known any more stays:
    /// nobody has agreed to that.
    ///
    /// Of more than ``FieldRecordsLimits/notedDeletions`` the journal notes only that there was such a change: each would be a
    /// document of it, and what was done before could not be taken back either.
    ///
    /// - Returns: how many were deleted.
    /// - Throws: `RecordActionError` if the inspection has been handed in.
    public func delete(_ known: [Finding], by author: Author) throws -> Int {
        let isNoted = known.count <= FieldRecordsLimits.notedDeletions
        var count = 0
        try database.inBatch {
            if let first = known.first { try checkIsOpen(inspectionOf: first) }
            if !isNoted { try journal.noteWhole("delete findings", by: author) }
            for finding in known where try findings.findReadable(finding.id)?.object == finding.object {
                if isNoted { try findings.delete(finding.id) } else { try findings.deleteUnnoted(finding.id) }
                count += 1
            }
        }
        return count
    }
}
