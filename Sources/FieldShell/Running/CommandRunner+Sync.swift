import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Replication

/// Signing in and syncing.
extension CommandRunner {
    func sync(_ options: SyncOptions) async throws -> SyncReport {
        _ = try session.settings()
        if options.isContinuous { return try await SyncService(session, options).run() }
        let folder = ServiceFolder(of: session.folder)
        let client = ServiceClient(session: session, folder: folder)
        if try folder.isServiceRunning() { return try await client.sync(resets: options.resets) }
        let connection = try SignInSource(session: session, passwordFile: options.passwordFile).read()
        try folder.prepare()
        guard let lock = try folder.takeExchangeLock() else {
            guard try folder.isServiceRunning() else { throw ServiceTrouble.folderIsBusy }
            return try await client.sync(resets: options.resets)
        }
        defer { lock.release() }
        let run = SyncRun(session: session, configuration: try connection.configuration(continuous: false))
        let report = try await run.run(resets: options.resets)
        if report.end == .complete { try note(folder, connection) }
        return report
    }

    /// For `status`: when everything was exchanged.
    private func note(_ folder: ServiceFolder, _ connection: GatewayConnection) throws {
        var notes = folder.notes()
        notes.lastExchange = session.environment.now().secondsSince1970
        notes.gateway = connection.settings.gateway?.absoluteString
        try folder.write(notes)
    }

    func login(_ request: LoginRequest) async throws -> Done {
        let login = try preparedLogin(request)
        if !request.isOffline { try await tryOut(login.connection) }
        try login.settings.save(in: session.folder)
        var done = Self.done(login, isOffline: request.isOffline)
        if try ServiceFolder(of: session.folder).isServiceRunning() {
            done.text += " The sync service uses it from now on."
        }
        return done
    }

    /// What signing in needs, all of it asked for before the gateway is.
    private struct PreparedLogin {
        let settings: FolderSettings
        let user: String
        let connection: GatewayConnection
    }

    private func preparedLogin(_ request: LoginRequest) throws -> PreparedLogin {
        try DamagedSettings.putAside(session)
        var settings = try session.settings()
        let field = try session.field()
        settings.gateway = try gateway(request, settings)
        settings.trust = try trust(request)
        let user =
            try request.user ?? ask("Your user name", preset: settings.user ?? session.environment.variables["USER"])
        try checkOwner(user, settings)
        if let warning = settings.gateway.flatMap(SecretWarnings.unprotected) { session.dialogue.tell(warning) }
        let credentials = Credentials(user: user, password: try password(request, user: user))
        try field.keep(credentials, in: &settings)
        return PreparedLogin(
            settings: settings, user: user,
            connection: GatewayConnection(field: field, settings: settings, credentials: credentials))
    }

    /// Another user's sync would neither take away what only the first may see nor tell the two apart.
    private func checkOwner(_ user: String, _ settings: FolderSettings) throws {
        guard let owner = settings.user, owner != user,
            ServiceFolder(of: session.folder).notes().lastExchange != nil
        else { return }
        throw SettingsError(.ofAnother(owner), path: session.folder.url.path)
    }

    private static func done(_ login: PreparedLogin, isOffline: Bool) -> Done {
        let address = login.settings.gateway?.absoluteString ?? ""
        let outcome =
            isOffline
            ? "The gateway \(address) was not asked. Your name and password are kept and used with the next sync."
            : "Signed in at \(address) as \(login.user)."
        return Done(
            outcome, ["gateway": .string(address), "user": .string(login.user), "verified": .bool(!isOffline)])
    }

    /// - Throws: what the gateway has against it, or that it cannot be reached: nothing is kept then, because a
    ///   mistyped address would be found out only by the next sync.
    private func tryOut(_ connection: GatewayConnection) async throws {
        do {
            try await Replicator(config: try connection.trial()).run()
        } catch {
            throw GatewayUnreached(
                cause: error,
                advice: "You are not signed in; nothing was kept. Check the address. "
                    + "Without a network, keep your name and password for the next sync with: login --offline")
        }
    }

    private func gateway(_ request: LoginRequest, _ settings: FolderSettings) throws -> URL {
        let address = try request.gateway ?? ask("Gateway", preset: settings.gateway?.absoluteString)
        return try SettingsError.gateway(address)
    }

    private func trust(_ request: LoginRequest) throws -> FolderSettings.GatewayTrust {
        if request.isSelfSigned { return .selfSigned }
        guard let path = request.pinnedCertificate else { return .system }
        let url = URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
        return .pinned(Array(try Certificate(contentsOf: url).data))
    }

    private func password(_ request: LoginRequest, user: String) throws -> String {
        if let file = request.passwordFile { return try SecretSource(dialogue: session.dialogue).read(file: file) }
        guard session.dialogue.isInteractive,
            let password = try SecretSource(dialogue: session.dialogue).ask("Password (not shown): "),
            !password.isEmpty
        else { throw SecretError("The password of \(user) is needed: name a file with it by --password-file.") }
        return password
    }

    private func ask(_ label: String, preset: String?) throws -> String {
        guard session.canAsk else { return try Self.given(preset, label) }
        let line = try session.questions.line(label + (preset.map { " [\($0)]" } ?? "") + ": ") ?? ""
        return try Self.given(line.isEmpty ? preset : line, label)
    }

    private static func given(_ text: String?, _ label: String) throws(UsageError) -> String {
        guard let text, !text.isEmpty else {
            throw UsageError("\(label) is missing.", hint: CommandCatalogue.specification(of: .login).usageLine)
        }
        return text
    }
}
