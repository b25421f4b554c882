import AccessControl

extension GatewayDatabaseConfiguration {
    /// The rules for a write by a user with this view.
    func writeRules(for view: AccessView) -> WriteRules {
        WriteRules(
            allowsConflicts: allowsConflicts, requiresSight: requiresSight, revisionLimit: retention.revisions,
            attachmentSize: attachmentSize, view: view)
    }
}
