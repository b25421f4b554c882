import DocumentValues
import FieldModels
import FieldRecords
import Replication

/// Which records the gateway does not have as they are now.
public struct WaitingRecords {
    private let field: FieldDatabase
    private let replicator: Replicator?

    /// - Parameter settings: without a login nothing waits yet for anybody.
    public init(field: FieldDatabase, settings: FolderSettings) throws {
        self.field = field
        guard settings.gateway != nil, let user = settings.user else {
            replicator = nil
            return
        }
        // What waits does not depend on the password.
        let connection = GatewayConnection(
            field: field, settings: settings, credentials: Credentials(user: user, password: ""))
        replicator = Replicator(config: try connection.configuration(continuous: false))
    }

    /// Those that the gateway refused wait too, unless another laptop is to send them. `nil` before the first login.
    public func count(of kind: RecordKind) throws -> Int? {
        guard let replicator else { return nil }
        let refused = try field.refusedRecords().filter { $0.kind == kind && $0.awaits != .anotherLaptop }
            .map { Name($0.documentID) }
        return try replicator.pendingNames(collection: field.collection(of: kind)).union(refused).count
    }
}
