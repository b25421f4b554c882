import FieldRecords

extension SyncEnvironment {
    /// Cleans up after an earlier exchange. The caller must hold the folder's exchange lock.
    func prepareExchange() throws {
        try field.forgetDeletionsOfNewRecords()
        try field.forgetChangesOfRemovedRecords()
        try field.forgetReturnedRecords()
        // An earlier sync may have ended before this step, or a district without records may have been taken away.
        try field.forgetRevokedDeletions()
        try field.bringBackRefusedOverDeletions(by: author())
    }
}
