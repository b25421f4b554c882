import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// The password is kept, sealed under the key of the attachments, because a session of the gateway ends after a day,
/// and a worker may be without a network for a month.
extension SignIn {
    private static func context(_ user: String, gateway: String) -> String { "password of \(user) at \(gateway)" }

    public func keep(_ credentials: Credentials, in settings: inout FolderSettings) throws {
        guard let sealer = try database.blobStorage().sealer, let gateway = settings.gateway else {
            throw SettingsError(.passwordUnreadable, path: folder.settingsFile.path)
        }
        let context = Self.context(credentials.user, gateway: gateway.absoluteString)
        settings.user = credentials.user
        settings.nameDevice()
        settings.sealedPassword = Base64.encode(try sealer.seal(Array(credentials.password.utf8), context: context))
        try note(owner: credentials.user)
    }

    /// - Throws: `SettingsError` if no user has signed in, or the password was sealed under another key; `StoreError` where
    ///   the key cannot be opened.
    public func credentials(in settings: FolderSettings) throws -> Credentials {
        guard let user = settings.user, let gateway = settings.gateway, let text = settings.sealedPassword else {
            throw SettingsError(.noLogin, path: folder.settingsFile.path)
        }
        guard let sealed = Base64.decode(text), let sealer = try database.blobStorage().sealer else {
            throw SettingsError(.passwordUnreadable, path: folder.settingsFile.path)
        }
        do {
            let password = try sealer.open(sealed, context: Self.context(user, gateway: gateway.absoluteString))
            return Credentials(user: user, password: String(decoding: password, as: UTF8.self))
        } catch let error as StoreError where error.code == .corruptData {
            throw SettingsError(.passwordUnreadable, path: folder.settingsFile.path)
        }
    }
}
