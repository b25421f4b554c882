import DocumentStore
import DocumentValues
import FieldRecords
import FieldSync
import Foundation

/// Signing in.
struct LoginCommand {
    let session: ShellSession
    let request: LoginRequest

    func run() async throws -> Done {
        let preparation = LoginPreparation(session: session, request: request)
        var login = try preparation.prepared()
        if !request.isOffline { login = try await LoginTrial(session: session, preparation: preparation).run(login) }
        login.settings.attempt = nil
        // While the gateway was asked, another user may have signed in to the folder in another window.
        try login.field.database.inBatch {
            let present = try session.settings()
            try preparation.checkOwner(login.credentials.user, of: login.field, settings: present)
            if present.gateway != login.settings.gateway { try login.field.outbox.forgetAll() }
            try login.field.signIn.keep(login.credentials, in: &login.settings)
            try login.field.signIn.nameUnnamedRecords(login.credentials.user)
            try login.settings.save(in: session.folder)
        }
        var done = Self.done(login, isOffline: request.isOffline)
        if try ServiceFolder(of: session.folder).isServiceRunning() {
            done.text += " The sync service uses it from now on."
        }
        return done
    }

    private static func done(_ login: PreparedLogin, isOffline: Bool) -> Done {
        let address = login.settings.gateway?.absoluteString ?? ""
        let user = login.credentials.user
        let outcome =
            isOffline
            ? "The gateway \(address) was not asked. Your name and password are kept and used with the next sync."
            : "Signed in at \(address) as \(user)."
        return Done(
            outcome, object: ["gateway": .string(address), "user": .string(user), "verified": .bool(!isOffline)])
    }
}
