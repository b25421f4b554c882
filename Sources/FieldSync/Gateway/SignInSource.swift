import DocumentValues
import FieldRecords
import Foundation

/// The source of a sync's sign-in: the settings that `login` has saved and, if an operator distributes passwords, a
/// file.
public struct SignInSource {
    /// A file with a password, and the app's way to read it.
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

    /// The files that show a change of it: folders, and the name of the file in each.
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
    /// The settings of a connection; when they change, the replicator is replaced.
    struct Identity: Hashable {
        let gateway: URL?
        let trust: FolderSettings.GatewayTrust
        /// Compared by bytes: a user or a password that looks alike is another one.
        let user: Name
        let password: Name
        /// How it exchanges follows from this.
        let photos: PhotoPolicy
    }

    var identity: Identity {
        Identity(
            gateway: settings.gateway, trust: settings.trust, user: Name(credentials.user),
            password: Name(credentials.password), photos: settings.photos)
    }
}
