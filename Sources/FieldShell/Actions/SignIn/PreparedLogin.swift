import FieldRecords
import FieldSync

/// The input for signing in, complete before the gateway is asked.
struct PreparedLogin {
    let field: FieldDatabase
    var settings: FolderSettings
    var credentials: Credentials
    /// The folder's trust until now, also for another address.
    let known: FolderSettings.GatewayTrust

    var connection: GatewayConnection {
        GatewayConnection(field: field, settings: settings, credentials: credentials)
    }
}
