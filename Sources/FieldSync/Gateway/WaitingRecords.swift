import DocumentValues
import FieldModels
import FieldRecords
import Replication

/// Which records the gateway does not have as they are now.
public struct WaitingRecords {
    private let field: FieldDatabase
    private let replicator: Replicator?

    /// - Parameter settings: before the first login no record waits for a gateway.
    public init(field: FieldDatabase, settings: FolderSettings) throws {
        self.field = field
        guard settings.gateway != nil, let user = settings.user else {
            replicator = nil
            return
        }
        // The waiting records do not depend on the password.
        let connection = GatewayConnection(
            field: field, settings: settings, credentials: Credentials(user: user, password: ""))
        replicator = Replicator(config: try connection.configuration(continuous: false))
    }

    /// Refused records count, too, unless another laptop has to send them. `nil` before the first login.
    public func count(of kind: RecordKind) throws -> Int? {
        guard let replicator else { return nil }
        let refused = try refused(of: kind).filter { $0.awaits != .anotherLaptop }.map { Name($0.documentID) }
        return try replicator.pendingNames(collection: field.collection(of: kind)).union(refused).count
    }

    /// Records of all kinds that the next sync sends, without refused ones. 0 before the first login.
    public func unsent() throws -> Int {
        guard let replicator else { return 0 }
        return try RecordKind.allCases.reduce(0) { sum, kind in
            let refused = Set(try refused(of: kind).map { Name($0.documentID) })
            return try sum + replicator.pendingNames(collection: field.collection(of: kind)).subtracting(refused).count
        }
    }

    private func refused(of kind: RecordKind) throws -> [RefusedRecord] {
        try field.outbox.all().filter { $0.kind == kind }
    }
}
