import FieldRecords

/// The changes of the folder that follow an exchange, of a sync as well as of the service, in this order. The next exchange
/// sends the records that they change.
struct ExchangeFollowUp {
    let environment: SyncEnvironment
    /// The gateway was reached since the start.
    let isConnected: Bool
    /// The header `Date` of the gateway's last answer.
    let gatewayDate: String?

    // MARK: Before the report

    /// Restores records of the user that another user has deleted as their own. The report would list them as deleted.
    ///
    /// - Returns: how many.
    @discardableResult
    func bringBackClaimedRecords() throws -> Int {
        guard isConnected else { return 0 }
        return try environment.field.deletions.bringBackClaimed(by: environment.author())
    }

    /// Prepares edits that were refused because of the record's creator, to be sent again under the user's name. So the user
    /// need not be notified of the refusal.
    ///
    /// - Returns: the records that can be sent in another way.
    @discardableResult
    func settleRefusals() throws -> [RecordReference] {
        try environment.field.outbox.settleUnasked(by: environment.author())
    }

    // MARK: After the report

    /// Forgets deletions by others of records that are here again. Only when no replicator runs, which keeps a record a moment
    /// before it deletes it: so a service does this at its start alone.
    func forgetReturned() throws { try environment.field.deletions.forgetReturned() }

    /// Restores findings that were deleted after their inspection, if the inspection has been restored since.
    func bringBackTiedFindings() throws {
        guard isConnected else { return }
        try environment.field.deletions.bringBackTiedFindings(by: environment.author())
    }

    /// Deletes findings weeks after their inspection was deleted, if the laptop's clock agrees with the gateway's.
    ///
    /// - Returns: whether it does.
    @discardableResult
    func deleteOldFindings() throws -> Bool {
        guard ClockCheck.isRight(laptop: environment.now(), date: gatewayDate) else { return false }
        try environment.field.deletions.deleteFindingsOfDeletedInspections(by: environment.author())
        return true
    }
}
