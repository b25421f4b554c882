import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication

/// How a folder's records are replicated with its gateway.
struct GatewayConnection {
    let field: FieldDatabase
    let settings: FolderSettings
    let credentials: Credentials

    /// - Throws: `SettingsError` if nobody has signed in.
    init(field: FieldDatabase, settings: FolderSettings) throws {
        self.init(field: field, settings: settings, credentials: try field.credentials(in: settings))
    }

    init(field: FieldDatabase, settings: FolderSettings, credentials: Credentials) {
        self.field = field
        self.settings = settings
        self.credentials = credentials
    }

    /// Sites go first, so that what refers to them finds them.
    func configuration(continuous: Bool) throws -> ReplicatorConfiguration {
        var configuration = ReplicatorConfiguration(
            collections: RecordKind.allCases.map { kind in
                var collection = CollectionConfiguration(collection: field.collection(of: kind))
                collection.conflictResolver = RecordConflictResolver(kind, in: field, device: settings.device)
                collection.remoteDeletionHandler = { [field] in try field.keepDeleted(kind, ids: $0) }
                return collection
            },
            target: URLEndpoint(url: try address()))
        configuration.continuous = continuous
        configuration.authenticator = BasicAuthenticator(
            username: credentials.user, password: credentials.password)
        if !continuous { configuration.maxAttempts = ShellLimits.syncAttempts }
        configuration.maxAttemptWaitTime = ShellLimits.syncWait
        try trust(&configuration)
        return configuration
    }

    /// Connects and asks for nothing: finds out whether the gateway, the database, its collections and the user are
    /// right.
    ///
    /// - Parameter isAnonymous: sends no name and no password.
    func trial(isAnonymous: Bool = false) throws -> ReplicatorConfiguration {
        var configuration = ReplicatorConfiguration(
            collections: RecordKind.allCases.map { kind in
                var collection = CollectionConfiguration(collection: field.collection(of: kind))
                collection.documentIDs = ["no-such-record"]
                return collection
            }, target: URLEndpoint(url: try address()))
        configuration.replicatorType = .pull
        configuration.maxAttempts = 1
        if !isAnonymous {
            configuration.authenticator = BasicAuthenticator(
                username: credentials.user, password: credentials.password)
        }
        try trust(&configuration)
        return configuration
    }

    private func address() throws -> URL {
        guard let gateway = settings.gateway else {
            throw SettingsError(.noLogin, path: field.folder.settingsFile.path)
        }
        return gateway
    }

    private func trust(_ configuration: inout ReplicatorConfiguration) throws {
        switch settings.trust {
        case .system: break
        case .selfSigned: configuration.acceptOnlySelfSignedServerCertificate = true
        case .pinned(let bytes): configuration.pinnedServerCertificate = try Certificate(data: Data(bytes))
        }
    }
}

/// Which records the gateway does not have as they are now.
struct WaitingRecords {
    private let field: FieldDatabase
    private let replicator: Replicator?

    /// - Parameter settings: without a login nothing waits yet for anybody.
    init(field: FieldDatabase, settings: FolderSettings) throws {
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

    /// Those that the gateway refused wait too. `nil` before the first login.
    func count(of kind: RecordKind) throws -> Int? {
        guard let replicator else { return nil }
        let refused = try field.refusedRecords().filter { $0.kind == kind }.map { Name($0.documentID) }
        return try replicator.pendingNames(collection: field.collection(of: kind)).union(refused).count
    }
}
