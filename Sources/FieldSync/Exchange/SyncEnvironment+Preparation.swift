import FieldRecords

extension SyncEnvironment {
    /// Puts in order what an earlier exchange has left: only for who has the folder's exchange lock.
    func prepareExchange() throws {
        try field.forgetDeletionsOfNewRecords()
        try field.forgetChangesOfRemovedRecords()
        try field.forgetReturnedRecords()
        // A sync may have ended before it came to that, or a district been taken away of which no record was left.
        try field.forgetRevokedDeletions()
        try field.bringBackRefusedOverDeletions(by: author())
    }
}
