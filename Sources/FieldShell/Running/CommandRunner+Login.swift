import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation
import Glibc
import Replication

/// Signing in.
extension CommandRunner {
    func login(_ request: LoginRequest) async throws -> Done {
        var login = try preparedLogin(request)
        if !request.isOffline { login = try await noting(login, request: request) }
        login.settings.attempt = nil
        // While the gateway was asked, the folder may have become somebody else's in another window.
        try login.field.database.inBatch {
            let present = try session.settings()
            try checkOwner(login.credentials.user, of: login.field, settings: present)
            if present.gateway != login.settings.gateway { try login.field.forgetRefusals() }
            try login.field.keep(login.credentials, in: &login.settings)
            try login.field.nameUnnamedRecords(login.credentials.user)
            try login.settings.save(in: session.folder)
        }
        var done = Self.done(login, isOffline: request.isOffline)
        if try ServiceFolder(of: session.folder).isServiceRunning() {
            done.text += " The sync service uses it from now on."
        }
        return done
    }

    /// What signing in needs, all of it asked for before the gateway is.
    private struct PreparedLogin {
        let field: FieldDatabase
        var settings: FolderSettings
        var credentials: Credentials
        /// What the folder has trusted until now, also at another address.
        let known: FolderSettings.GatewayTrust

        var connection: GatewayConnection {
            GatewayConnection(field: field, settings: settings, credentials: credentials)
        }
    }

    private func preparedLogin(_ request: LoginRequest) throws -> PreparedLogin {
        try DamagedSettings.putAside(session)
        var settings = try session.settings()
        let field = try session.field()
        let (before, known) = (settings.gateway, settings.trust)
        settings.gateway = try gateway(request, settings: settings)
        try checkDatabase(settings.gateway, insteadOf: before, field: field)
        settings.trust = try trust(request, settings: settings, before: before)
        let user =
            try request.user
            ?? ask(
                "Your user name", preset: settings.user ?? session.environment.variables["USER"],
                tried: settings.attempt?.user)
        try checkOwner(user, of: field, settings: settings)
        if let warning = settings.gateway.flatMap(SecretWarnings.unprotected) { session.dialogue.show(warning) }
        let credentials = Credentials(user: user, password: try password(request, user: user))
        return PreparedLogin(field: field, settings: settings, credentials: credentials, known: known)
    }

    /// Another user's sync would neither take away what only the first may see nor distinguish the two.
    private func checkOwner(_ user: String, of field: FieldDatabase, settings: FolderSettings) throws {
        guard let owner = try field.owner() ?? settings.user, !owner.isExactly(user), try field.hasExchangedRecords()
        else { return }
        throw SettingsError(.ofAnother(NameContrast.shown(owner, besides: user)), path: session.folder.url.path)
    }

    /// A mistyped name of a database would put one team's records among another's.
    private func checkDatabase(_ gateway: URL?, insteadOf before: URL?, field: FieldDatabase) throws {
        guard let gateway, let before, try field.hasExchangedRecords(),
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

    // MARK: Trying it out

    /// Nobody types an address twice because a network was gone or a password wrong.
    private func noting(_ login: PreparedLogin, request: LoginRequest) async throws -> PreparedLogin {
        var login = login
        do {
            try await tryUntilItWorks(&login, request: request)
            return login
        } catch {
            var settings = try session.settings()
            // What nobody answered at may be mistyped: where another address is known to be right, that is offered.
            if let error = error as? GatewayUnreached, error.isOfNetwork, settings.gateway != nil { throw error }
            settings.attempt = FolderSettings.LoginAttempt(
                gateway: login.settings.gateway?.absoluteString ?? "", user: login.credentials.user)
            try settings.save(in: session.folder)
            throw error
        }
    }

    /// Asks a person about what can be corrected at once: an unknown certificate, `ws` where the gateway speaks TLS, a
    /// mistyped password. So no part of a login is typed at the prompt for commands.
    ///
    /// - Parameter login: what was corrected stays, even if the login fails in the end.
    private func tryUntilItWorks(_ login: inout PreparedLogin, request: LoginRequest) async throws {
        while true {
            do {
                let shown = try await tryOut(login.connection)
                guard login.settings.trust == .selfSigned, let shown else { return }
                // Pinned, it is still trusted when it is renewed, for the first renewal makes it the authority. It is
                // tried once more, because a pinned certificate has to be valid today.
                login.settings.trust = .pinned(Array(shown.data))
            } catch let error as GatewayUnreached {
                guard let cause = error.cause as? ReplicationError,
                    try await mend(&login, error: cause, request: request)
                else { throw error }
            }
        }
    }

    /// - Returns: the gateway's certificate, where it has one.
    /// - Throws: why the gateway refuses, or that it cannot be reached. Nothing is kept then: otherwise only the next
    ///   sync would show a mistyped address.
    private func tryOut(_ connection: GatewayConnection) async throws -> Certificate? {
        do {
            let replicator = Replicator(config: try connection.trial())
            // From another thread, while this one waits.
            let token = replicator.addSilenceListener { [gateway = connection.settings.gateway] seconds in
                Terminal.writeWrapped(Self.silence(of: gateway, seconds: seconds), to: STDERR_FILENO)
            }
            defer { token.remove() }
            try await replicator.run()
            return replicator.serverCertificate
        } catch {
            throw GatewayUnreached(
                cause: error,
                advice: "You are not signed in; nothing was kept. Check the address. "
                    + "Without a network, keep your name and password for the next sync with: login --offline")
        }
    }

    /// - Returns: whether it may work now.
    private func mend(
        _ login: inout PreparedLogin, error: ReplicationError, request: LoginRequest
    ) async throws -> Bool {
        if let certificate = error.refusedCertificate, error.isAboutTrust {
            if [.system, .selfSigned].contains(login.settings.trust),
                Self.isKnown(certificate, error: error, to: login.known)
            {
                login.settings.trust = login.known
                return true
            }
            guard try isTrusted(certificate, error: error, settings: login.settings) else { return false }
            login.settings.trust = .pinned(Array((error.certificateToPin ?? certificate).data))
            return true
        }
        if let secure = try await secureAddress(login, error: error) {
            let hint = "The gateway speaks TLS at that port: use \(secure.absoluteString)"
            guard session.canAsk else { throw UsageError(hint) }
            guard try session.questions.confirm("\(hint). Now? y or n") else { return false }
            login.settings.gateway = secure
            return true
        }
        guard error.code == CBLError.httpAuthRequired, session.canAsk, request.passwordFile == nil else { return false }
        // Not "sign in again": what is typed next is the password.
        session.dialogue.show("\(ErrorText.unknownLogin) Type the password again, or leave with Ctrl-C.")
        login.credentials = Credentials(
            user: login.credentials.user, password: try password(request, user: login.credentials.user))
        return true
    }

    /// Whether the folder trusts the certificate, or the authority that signed it: then it is the same gateway, moved to
    /// another address. Whether the signature holds is seen with the next attempt, which trusts nothing else.
    private static func isKnown(
        _ certificate: Certificate, error: ReplicationError, to known: FolderSettings.GatewayTrust
    ) -> Bool {
        guard case .pinned(let bytes) = known, let pinned = try? Certificate(data: Data(bytes)) else { return false }
        return [certificate, error.certificateToPin].contains { $0?.fingerprint == pinned.fingerprint }
    }

    /// As `ssh` does with a host that it does not know: shows what it is known by, and asks.
    private func isTrusted(
        _ certificate: Certificate, error: ReplicationError, settings: FolderSettings
    ) throws -> Bool {
        var lines = [ErrorText.sentence(error.message), "Its SHA-256 is \(certificate.fingerprint)"]
        if case .pinned(let bytes) = settings.trust, let before = try? Certificate(data: Data(bytes)) {
            lines.append("What was trusted before is \(before.fingerprint)")
            lines.append("If nobody has renewed it, somebody may be in between: ask your administrator first.")
        } else {
            lines.append(
                "Compare it with what your administrator sees at the gateway with: "
                    + "fieldbook-gateway certificate show --config gateway.yaml")
        }
        if let authority = error.certificateToPin, authority.fingerprint != certificate.fingerprint {
            lines.append(
                "It was signed by the authority \(authority.fingerprint). Yes trusts every certificate "
                    + "that this authority signs.")
        }
        lines.forEach(session.dialogue.show)
        guard session.canAsk else { return false }
        return try session.questions.confirm("Trust it? y or n")
    }

    /// The same address with TLS, if that is what its port speaks.
    private func secureAddress(_ login: PreparedLogin, error: ReplicationError) async throws -> URL? {
        guard let gateway = login.settings.gateway, gateway.scheme == "ws", !error.isAnswer,
            var parts = URLComponents(url: gateway, resolvingAgainstBaseURL: false)
        else { return nil }
        parts.scheme = "wss"
        guard let secure = parts.url else { return nil }
        var settings = login.settings
        settings.gateway = secure
        settings.trust = .system
        // Without a password: this only asks what the port speaks.
        let connection = GatewayConnection(
            field: login.field, settings: settings, credentials: Credentials(user: "", password: ""))
        do {
            try await Replicator(config: try connection.trial(isAnonymous: true)).run()
            return secure
        } catch let error as ReplicationError {
            return error.isAnswer || error.refusedCertificate != nil ? secure : nil
        }
    }

    // MARK: What is asked for

    private func gateway(_ request: LoginRequest, settings: FolderSettings) throws -> URL {
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

    /// What was trusted before at the same gateway still is.
    private func trust(
        _ request: LoginRequest, settings: FolderSettings, before: URL?
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

    /// DER of what is pinned.
    private func pinned(_ file: URL) throws -> [UInt8] {
        let (own, pinned) = (try Certificate(contentsOf: file), try Certificate.toPin(in: file))
        if own != pinned {
            session.dialogue.show(
                "The file also has the authority that signed the certificate: \(pinned.fingerprint). That is what is "
                    + "trusted, so that nothing changes here when the certificate is renewed.")
        }
        return Array(pinned.data)
    }

    private func password(_ request: LoginRequest, user: String) throws -> String {
        let source = SecretSource(dialogue: session.dialogue)
        if let file = request.passwordFile { return try source.read(file: file) }
        while session.dialogue.isInteractive, let password = try source.ask("Password (not shown): ") {
            if !password.isEmpty { return password }
            session.dialogue.show("It is empty; Ctrl-C leaves.")
        }
        throw SecretError("The password of \(user) is needed: name a file with it by --password-file.")
    }

    /// - Parameter tried: offered to a person; nothing is signed in to unseen because somebody once tried it.
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

extension ReplicationError {
    /// The gateway has said something, if only no.
    fileprivate var isAnswer: Bool {
        domain != Self.posixDomain && (CBLError.httpBase..<CBLError.httpBase + 600).contains(code)
    }

    /// Nobody vouches for the certificate, or it is another than the one that was trusted; it is not out of date.
    fileprivate var isAboutTrust: Bool {
        code == CBLError.tlsCertUnknownRoot || code == CBLError.tlsCertUntrusted
    }
}
