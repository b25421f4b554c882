import DocumentValues
import FieldRecords
import Foundation
import Replication

/// Signing in and syncing.
extension CommandRunner {
    func sync(isContinuous: Bool, resets: Bool) async throws -> SyncReport {
        let settings = try session.settings()
        let connection = try GatewayConnection(field: session.field(), settings: settings)
        let run = SyncRun(session: session, configuration: try connection.configuration(continuous: isContinuous))
        return try await run.run(resets: resets)
    }

    func login(_ request: LoginRequest) async throws -> Done {
        var settings = try session.settings()
        let field = try session.field()
        settings.gateway = try gateway(request, settings)
        settings.trust = try trust(request)
        let user =
            try request.user ?? ask("Your user name", preset: settings.user ?? session.environment.variables["USER"])
        let credentials = Credentials(user: user, password: try password(request, user: user))
        try field.keep(credentials, in: &settings)
        let connection = GatewayConnection(field: field, settings: settings, credentials: credentials)
        let isTried = try await request.isOffline ? false : tryOut(connection)
        try settings.save(in: session.folder)
        let address = settings.gateway?.absoluteString ?? ""
        let outcome =
            isTried
            ? "Signed in at \(address) as \(user)."
            : "The gateway \(address) was not asked. Your name and password are kept and used with the next sync."
        return Done(
            outcome, ["gateway": .string(address), "user": .string(user), "verified": .bool(isTried)])
    }

    /// - Returns: false if the gateway cannot be reached now.
    /// - Throws: `ReplicationError` if the gateway knows better: nothing is kept then.
    private func tryOut(_ connection: GatewayConnection) async throws -> Bool {
        do {
            try await Replicator(config: try connection.trial()).run()
            return true
        } catch let error as ReplicationError where error.isTransient || error.dependsOnNetwork {
            session.dialogue.tell(ErrorWords.text(error))
            return false
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
        guard session.dialogue.isInteractive, let password = session.dialogue.askSecret("Password (not shown): "),
            !password.isEmpty
        else { throw SecretError("The password of \(user) is needed: name a file with it by --password-file.") }
        return password
    }

    private func ask(_ label: String, preset: String?) throws -> String {
        guard session.canAsk else { return try Self.given(preset, label) }
        let line = session.questions.line(label + (preset.map { " [\($0)]" } ?? "") + ": ") ?? ""
        return try Self.given(line.isEmpty ? preset : line, label)
    }

    private static func given(_ text: String?, _ label: String) throws(UsageError) -> String {
        guard let text, !text.isEmpty else {
            throw UsageError("\(label) is missing.", hint: CommandCatalogue.specification(of: .login).usageLine)
        }
        return text
    }
}
