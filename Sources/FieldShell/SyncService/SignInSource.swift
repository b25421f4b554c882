import DocumentValues
import FieldRecords
import Foundation

/// Where the service learns how to sign in: what `login` has kept, and, where an operator hands passwords out, a file.
struct SignInSource {
    let session: ShellSession
    let passwordFile: String?

    /// - Throws: `SettingsError` or `SecretError`, with what to do.
    func read() throws -> GatewayConnection {
        let (field, settings) = (try session.field(), try session.settings())
        guard let passwordFile else { return try GatewayConnection(field: field, settings: settings) }
        guard settings.gateway != nil, let user = settings.user else {
            throw SettingsError(.noLogin, path: session.folder.settingsFile.path)
        }
        let password = try SecretSource(dialogue: session.dialogue).read(file: passwordFile)
        return GatewayConnection(
            field: field, settings: settings, credentials: Credentials(user: user, password: password))
    }

    /// Where a change of it shows: folders, and the name of the file in each.
    var places: [(folder: URL, name: String)] {
        let files = [session.folder.settingsFile] + [passwordFile.map(Self.url)].compactMap(\.self)
        return files.map { ($0.deletingLastPathComponent(), $0.lastPathComponent) }
    }

    private static func url(_ path: String) -> URL {
        URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
    }
}

extension GatewayConnection {
    /// What a replicator would notice if it were another.
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
