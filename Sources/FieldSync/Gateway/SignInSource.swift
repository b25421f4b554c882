import DocumentValues
import FieldRecords
import Foundation

/// Where a sync learns how to sign in: what `login` has kept, and, where an operator hands passwords out, a file.
public struct SignInSource {
    /// A file with a password, and how the app reads it.
    public struct PasswordFile {
        let path: String
        let read: (String) throws -> String

        public init(path: String, read: @escaping (String) throws -> String) {
            self.path = path
            self.read = read
        }
    }

    let environment: SyncEnvironment
    private let passwordFile: PasswordFile?

    public init(_ environment: SyncEnvironment, passwordFile: PasswordFile? = nil) {
        self.environment = environment
        self.passwordFile = passwordFile
    }

    /// - Throws: `SettingsError`, or why the file cannot be read, with what to do.
    public func read() throws -> GatewayConnection {
        var connection = try signIn()
        connection.now = environment.now
        return connection
    }

    private func signIn() throws -> GatewayConnection {
        let (field, settings) = (environment.field, try environment.settings())
        guard let passwordFile else { return try GatewayConnection(field: field, settings: settings) }
        guard settings.gateway != nil, let user = settings.user else {
            throw SettingsError(.noLogin, path: field.folder.settingsFile.path)
        }
        let password = try passwordFile.read(passwordFile.path)
        return GatewayConnection(
            field: field, settings: settings, credentials: Credentials(user: user, password: password))
    }

    /// Where a change of it shows: folders, and the name of the file in each.
    var files: [(folder: URL, name: String)] {
        let files =
            [environment.field.folder.settingsFile] + [passwordFile.map { Self.url($0.path) }].compactMap(\.self)
        return files.map { ($0.deletingLastPathComponent(), $0.lastPathComponent) }
    }

    private static func url(_ path: String) -> URL {
        URL(fileURLWithPath: HomeFolder.expanding(path))
    }
}

extension GatewayConnection {
    /// What a new connection needs; a replicator is replaced when it changes.
    struct Identity: Hashable {
        let gateway: URL?
        let trust: FolderSettings.GatewayTrust
        /// Bytes: a user or a password that looks alike is another.
        let user: Name
        let password: Name
    }

    var identity: Identity {
        Identity(
            gateway: settings.gateway, trust: settings.trust, user: Name(credentials.user),
            password: Name(credentials.password))
    }
}
