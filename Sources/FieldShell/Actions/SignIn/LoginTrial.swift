import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation
import Glibc
import Replication

/// Tries a sign-in at the gateway before it is kept.
struct LoginTrial {
    let session: ShellSession
    let preparation: LoginPreparation

    /// The user need not type an address twice because a network failed or a password was wrong.
    func run(_ login: PreparedLogin) async throws -> PreparedLogin {
        var login = login
        do {
            try await tryUntilItWorks(&login)
            return login
        } catch {
            var settings = try session.settings()
            // An address without an answer may be mistyped: if another address is known to be right, that one is
            // offered.
            if let error = error as? GatewayUnreached, error.isOfNetwork, settings.gateway != nil { throw error }
            settings.attempt = FolderSettings.LoginAttempt(
                gateway: login.settings.gateway?.absoluteString ?? "", user: login.credentials.user)
            try settings.save(in: session.folder)
            throw error
        }
    }

    /// Asks the user about problems that can be corrected at once: an unknown certificate, `ws` where the gateway
    /// speaks TLS, a mistyped password. So no part of a login is typed at the prompt for commands.
    ///
    /// - Parameter login: keeps the corrections, even if the login fails in the end.
    private func tryUntilItWorks(_ login: inout PreparedLogin) async throws {
        while true {
            do {
                let shown = try await tryOut(login.connection)
                guard login.settings.trust == .selfSigned, let shown else { return }
                // Pinned, it is still trusted when it is renewed, for the first renewal makes it the authority. It is
                // tried once more, because a pinned certificate has to be valid today.
                login.settings.trust = .pinned(Array(shown.data))
            } catch let error as GatewayUnreached {
                guard let cause = error.cause as? ReplicationError,
                    try await mend(&login, error: cause)
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
                Terminal.writeWrapped(SyncProgressText.silence(of: gateway, seconds: seconds), to: STDERR_FILENO)
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
    private func mend(_ login: inout PreparedLogin, error: ReplicationError) async throws -> Bool {
        if let certificate = error.refusedCertificate, error.isAboutTrust {
            return try mendTrust(&login, certificate: certificate, error: error)
        }
        if let secure = try await secureAddress(login, error: error) {
            let hint = "The gateway speaks TLS at that port: use \(secure.absoluteString)"
            guard session.canAsk else { throw UsageError(hint) }
            guard try session.questions.confirm("\(hint). Now? y or n") else { return false }
            login.settings.gateway = secure
            return true
        }
        guard error.code == CBLError.httpAuthRequired, session.canAsk, preparation.request.passwordFile == nil
        else { return false }
        // Not "sign in again": the next input is the password.
        session.dialogue.show("\(ErrorText.unknownLogin) Type the password again, or leave with Ctrl-C.")
        login.credentials = Credentials(
            user: login.credentials.user, password: try preparation.password(of: login.credentials.user))
        return true
    }

    private func mendTrust(
        _ login: inout PreparedLogin, certificate: Certificate, error: ReplicationError
    ) throws -> Bool {
        let question = CertificateQuestion(session: session)
        if [.system, .selfSigned].contains(login.settings.trust),
            CertificateQuestion.isKnown(certificate, error: error, to: login.known)
        {
            login.settings.trust = login.known
            return true
        }
        guard try question.askForTrust(in: certificate, error: error, settings: login.settings) else { return false }
        login.settings.trust = .pinned(Array((error.certificateToPin ?? certificate).data))
        return true
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
        // Without a password: this only finds out the protocol of the port.
        let connection = GatewayConnection(
            field: login.field, settings: settings, credentials: Credentials(user: "", password: ""))
        do {
            try await Replicator(config: try connection.trial(isAnonymous: true)).run()
            return secure
        } catch let error as ReplicationError {
            return error.isAnswer || error.refusedCertificate != nil ? secure : nil
        }
    }
}

extension ReplicationError {
    /// The gateway has said something, if only no.
    fileprivate var isAnswer: Bool {
        domain != Self.posixDomain && (CBLError.httpBase..<CBLError.httpBase + 600).contains(code)
    }

    /// No known authority has signed the certificate, or it is another than the trusted one; it has not expired.
    fileprivate var isAboutTrust: Bool {
        code == CBLError.tlsCertUnknownRoot || code == CBLError.tlsCertUntrusted
    }
}
