import FieldRecords

extension SyncEnvironment {
    /// Cleans up after an earlier exchange. The caller must hold the folder's exchange lock.
    func prepareExchange() throws {
        try field.outbox.forgetDeletionsOfNewRecords()
        try field.history.forgetRemovedRecords()
        try field.deletions.forgetReturned()
        // A sync may have ended before it came to that, or a district been taken away of which no record was left.
        try field.deletions.forgetRevoked()
        try field.outbox.settleUnasked(by: author())
    }
}
