import AccessControl

extension GatewayDatabaseConfiguration {
    /// What holds for a write of somebody who may see this.
    func writeRules(for view: AccessView) -> WriteRules {
        WriteRules(
            allowsConflicts: allowsConflicts, requiresSight: requiresSight, revisionLimit: revisionLimit,
            attachmentSize: attachmentSize, view: view)
    }
}
