import FieldRecords
import FieldSync

/// What signing in needs, all of it asked for before the gateway is.
struct PreparedLogin {
    let field: FieldDatabase
    var settings: FolderSettings
    var credentials: Credentials
    /// What the folder has trusted until now, also at another address.
    let known: FolderSettings.GatewayTrust

    var connection: GatewayConnection {
        GatewayConnection(field: field, settings: settings, credentials: credentials)
    }
}
