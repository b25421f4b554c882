import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation
import Replication

/// Asks for all that signing in needs, and finds out whether the folder may be used so.
struct LoginPreparation {
    let session: ShellSession
    let request: LoginRequest

    func prepared() throws -> PreparedLogin {
        try DamagedSettings.putAside(session)
        var settings = try session.settings()
        let field = try session.field()
        let (before, known) = (settings.gateway, settings.trust)
        settings.gateway = try gateway(settings)
        try checkDatabase(settings.gateway, insteadOf: before, field: field)
        settings.trust = try trust(settings, before: before)
        let user =
            try request.user
            ?? ask(
                "Your user name", preset: settings.user ?? session.environment.variables["USER"],
                tried: settings.attempt?.user)
        try checkOwner(user, of: field, settings: settings)
        if let warning = settings.gateway.flatMap(SecretWarnings.unprotected) { session.dialogue.show(warning) }
        let credentials = Credentials(user: user, password: try password(of: user))
        return PreparedLogin(field: field, settings: settings, credentials: credentials, known: known)
    }

    /// Another user's sync would neither take away the records that only the first user may see, nor distinguish the
    /// two users.
    func checkOwner(_ user: String, of field: FieldDatabase, settings: FolderSettings) throws {
        guard let owner = try field.signIn.owner() ?? settings.user, !owner.isExactly(user),
            try field.store.hasExchangedRecords()
        else { return }
        throw SettingsError(.ofAnother(NameContrast.shown(owner, besides: user)), path: session.folder.url.path)
    }

    /// A mistyped name of a database would put one team's records among another's.
    private func checkDatabase(_ gateway: URL?, insteadOf before: URL?, field: FieldDatabase) throws {
        guard let gateway, let before, try field.store.hasExchangedRecords(),
            !gateway.lastPathComponent.isExactly(before.lastPathComponent)
        else { return }
        let question =
            "The records of this folder were exchanged with \(before.absoluteString). At \(gateway.absoluteString) the "
            + "next sync sends all of them to another database. Sign in there all the same?"
        guard try session.consents(to: question.printable) else {
            throw UsageError(
                "Nothing was changed.",
                hint: "For another database use a folder of its own: fieldbook init --folder FOLDER")
        }
    }

    private func gateway(_ settings: FolderSettings) throws -> URL {
        var given = request.gateway
        while true {
            let address =
                try given ?? ask("Gateway", preset: settings.gateway?.absoluteString, tried: settings.attempt?.gateway)
            do throws(SettingsError) {
                return try SettingsError.gateway(address)
            } catch {
                guard session.canAsk else { throw error }
                session.dialogue.show(error.description.printable)
                given = nil
            }
        }
    }

    /// A certificate that was trusted before at the same gateway still is.
    private func trust(
        _ settings: FolderSettings, before: URL?
    ) throws -> FolderSettings.GatewayTrust {
        if request.isSelfSigned { return .selfSigned }
        guard let path = request.pinnedCertificate else {
            let isSame =
                (before?.host).map { Name($0) } == (settings.gateway?.host).map { Name($0) }
                && before?.port == settings.gateway?.port
            return isSame ? settings.trust : .system
        }
        return .pinned(try pinned(URL(fileURLWithPath: HomeFolder.expanding(path))))
    }

    /// DER of the pinned certificate.
    private func pinned(_ file: URL) throws -> [UInt8] {
        let (own, pinned) = (try Certificate(contentsOf: file), try Certificate.toPin(in: file))
        if own != pinned {
            session.dialogue.show(
                "The file also has the authority that signed the certificate: \(pinned.fingerprint). That one is "
                    + "trusted, so that nothing changes here when the certificate is renewed.")
        }
        return Array(pinned.data)
    }

    func password(of user: String) throws -> String {
        let source = SecretSource(dialogue: session.dialogue)
        if let file = request.passwordFile { return try source.read(file: file) }
        while session.dialogue.isInteractive, let password = try source.ask("Password (not shown): ") {
            if !password.isEmpty { return password }
            session.dialogue.show("It is empty; Ctrl-C leaves.")
        }
        throw SecretError("The password of \(user) is needed: name a file with it by --password-file.")
    }

    /// - Parameter tried: offered to a person; a former attempt is never used without the user seeing it.
    private func ask(_ label: String, preset: String?, tried: String?) throws -> String {
        guard session.canAsk else { return try Self.given(preset, label: label) }
        let preset = tried ?? preset
        let line = try session.questions.line(label + (preset.map { " [\($0)]" } ?? "") + ": ") ?? ""
        return try Self.given(line.isEmpty ? preset : line, label: label)
    }

    private static func given(_ text: String?, label: String) throws(UsageError) -> String {
        guard let text, !text.isEmpty else {
            throw UsageError("\(label) is missing.", hint: CommandCatalogue.specification(of: .login).usageLine)
        }
        return text
    }
}
