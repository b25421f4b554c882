import Foundation
import X509

/// The files of the gateway's certificate and of the authority that signs it, side by side in one folder.
package struct CertificateFiles {
    private static let authorityName = "authority.pem"
    private static let authorityKeyName = "authority-key.pem"

    private let certificate: String
    private let key: String
    private let folder: String

    package init(_ tls: GatewayConfiguration.TLS) {
        certificate = tls.certificatePath
        key = tls.keyPath
        folder = (tls.certificatePath as NSString).deletingLastPathComponent
    }

    /// The file that laptops pin.
    package var authority: String { path(Self.authorityName) }
    private var authorityKey: String { path(Self.authorityKeyName) }

    private func path(_ name: String) -> String { folder.isEmpty ? name : folder + "/" + name }

    /// What the files hold just now.
    package struct State: Sendable {
        package let hosts: [String]
        package let expires: Date
        package let fingerprint: String
        /// `nil` for a certificate from elsewhere.
        package let authorityFingerprint: String?
    }

    package func state() throws -> State {
        let current = try current()
        let authority = try? CertificateAuthority(pem: text(authority), keyPEM: text(authorityKey))
        let isOurs = authority?.vouches(for: current) ?? false
        return State(
            hosts: current.hosts, expires: current.notValidAfter, fingerprint: try current.fingerprint,
            authorityFingerprint: isOurs ? try authority?.fingerprint : nil)
    }

    /// Makes an authority and the first certificate.
    package func make(hosts: [String]) throws -> CertificateAuthority.Issued {
        let made = try CertificateAuthority(name: hosts.first ?? "fieldbook-gateway")
        try save(made)
        return try issue(by: made, hosts: hosts)
    }

    /// Puts a new certificate into the files, for the same names unless others are given.
    package func renew(hosts: [String]) throws -> CertificateAuthority.Issued {
        let current = try current()
        return try issue(by: try signer(of: current), hosts: hosts.isEmpty ? current.hosts : hosts)
    }

    /// The authority of the files; a certificate of earlier versions, which signed itself, becomes it, so that laptops
    /// that pinned it go on trusting what it signs.
    private func signer(of current: Certificate) throws -> CertificateAuthority {
        if FileManager.default.fileExists(atPath: authority) {
            let known: CertificateAuthority
            do { known = try CertificateAuthority(pem: text(authority), keyPEM: text(authorityKey)) } catch {
                throw ConfigurationError(authority, "and \(authorityKey) are no certificate and key that may sign")
            }
            guard known.vouches(for: current) else { throw foreign }
            return known
        }
        guard current.subject == current.issuer,
            let known = try? CertificateAuthority(pem: text(certificate), keyPEM: text(key))
        else { throw foreign }
        try save(known)
        return known
    }

    private var foreign: ConfigurationError {
        ConfigurationError(
            certificate, "was not signed by this gateway's own authority",
            hint: "Renew it where it comes from; the gateway takes over new files within ten seconds")
    }

    private func current() throws -> Certificate {
        do { return try Certificate(firstOf: text(certificate)) } catch let error as ConfigurationError {
            throw error
        } catch { throw ConfigurationError(certificate, "is not a readable PEM certificate") }
    }

    private func text(_ path: String) throws -> String {
        do { return try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw ConfigurationError(path, "cannot be read", hint: "Run the command as the account of the gateway")
        }
    }

    private func save(_ made: CertificateAuthority) throws {
        try GatewaySetup.write(made.keyPEM, to: authorityKey, mode: 0o600)
        try GatewaySetup.write(try made.pem, to: authority, mode: 0o644)
    }

    /// The key first: the gateway keeps the old pair until both fit.
    private func issue(by authority: CertificateAuthority, hosts: [String]) throws -> CertificateAuthority.Issued {
        let issued = try authority.issue(hosts: hosts)
        try GatewaySetup.write(issued.keyPEM, to: key, mode: 0o600)
        try GatewaySetup.write(issued.pem, to: certificate, mode: 0o644)
        return issued
    }
}
