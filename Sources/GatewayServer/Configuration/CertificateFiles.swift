import Foundation
import GatewayCore
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

    /// The present content of the files.
    package struct State: Sendable {
        package let hosts: [String]
        package let expires: Date
        package let fingerprint: String
        /// `nil` for a certificate of another authority.
        package let authorityFingerprint: String?
    }

    /// - Throws: `ConfigurationError` for files that cannot be read, or have other content.
    package func state() throws -> State {
        let current = try presentCertificate()
        let known = try knownAuthority()
        let isOurs = known?.vouches(for: current) ?? false
        return State(
            hosts: current.hosts, expires: current.notValidAfter, fingerprint: try current.fingerprint,
            authorityFingerprint: isOurs ? try known?.fingerprint : nil)
    }

    /// `nil` if one of the authority's files is missing: its key may be kept elsewhere.
    private func knownAuthority() throws -> CertificateAuthority? {
        guard let pem = try found(authority), let keyPEM = try found(authorityKey) else { return nil }
        do { return try CertificateAuthority(pem: pem, keyPEM: keyPEM) } catch {
            throw ConfigurationError(
                authority, problem: "and \(authorityKey) are not a certificate and a key that may sign")
        }
    }

    private var all: [String] { [authority, authorityKey, certificate, key] }

    /// The first of the files that exists.
    var present: String? { all.first { FileManager.default.fileExists(atPath: $0) } }

    /// Removes the files that exist.
    func remove() { for file in all { try? FileManager.default.removeItem(atPath: file) } }

    /// Makes an authority and the first certificate.
    package func make(hosts: [String]) throws -> CertificateAuthority.Issued {
        try HostName.check(hosts)
        let made = try CertificateAuthority(name: hosts.first ?? "fieldbook-gateway")
        try save(made)
        return try issue(by: made, hosts: hosts)
    }

    /// The same, after the old files were moved away.
    ///
    /// - Throws: `ConfigurationError` naming the first file that is still there.
    package func replace(hosts: [String]) throws -> CertificateAuthority.Issued {
        if let present {
            throw ConfigurationError(present, problem: "is there already", hint: "Move it away first, and keep it")
        }
        return try make(hosts: hosts)
    }

    /// Writes a new certificate into the files, for the same names unless others are given. A lost or damaged one is
    /// replaced if its authority exists and the names are given.
    package func renew(hosts: [String]) throws -> CertificateAuthority.Issued {
        try HostName.check(hosts)
        let renewal = try renewal(for: hosts)
        guard renewal.signer.certificate.notValidAfter > Date() else { throw ended(renewal.signer) }
        var issued = try issue(by: renewal.signer, hosts: renewal.hosts)
        issued.replacesSelfSigned = renewal.replacesSelfSigned
        return issued
    }

    /// The authority that signs a new certificate, its names, and the certificate that it replaces.
    private struct Renewal {
        let signer: CertificateAuthority
        let hosts: [String]
        var replacesSelfSigned = false
    }

    private func renewal(for hosts: [String]) throws -> Renewal {
        do {
            let current = try current()
            let signer = try signer(of: current)
            return Renewal(
                signer: signer, hosts: hosts.isEmpty ? current.hosts : hosts,
                replacesSelfSigned: current == signer.certificate)
        } catch let unusable as UnusableCertificate {
            guard let known = try knownAuthority() else { throw unusable.error }
            guard !hosts.isEmpty else {
                throw ConfigurationError(
                    certificate, problem: unusable.error.problem,
                    hint: "Its authority can make another; name the gateway: certificate renew --host NAME")
            }
            return Renewal(signer: known, hosts: hosts)
        }
    }

    /// The certificate is missing, or no certificate.
    private struct UnusableCertificate: Error { let error: ConfigurationError }

    /// The authority of the files. A self-signed certificate of earlier versions becomes the authority: laptops that
    /// pinned it then trust the certificates that it signs.
    private func signer(of current: Certificate) throws -> CertificateAuthority {
        if let known = try knownAuthority() {
            guard known.vouches(for: current) else { throw foreign }
            return known
        }
        // One file without the other is no reason to replace both.
        for (one, other) in [(authority, authorityKey), (authorityKey, authority)] where try found(other) != nil {
            throw ConfigurationError(
                one, problem: "is missing, but \(other) is there",
                hint:
                    "Put back your copy of it. If you have none, move \(other), \(certificate) and \(key) away, "
                    + "make new ones with 'certificate new', and let every laptop sign in again: fieldbook login")
        }
        guard current.subject == current.issuer else { throw foreign }
        let (pem, keyPEM) = (try text(certificate), try text(key))
        let own: CertificateAuthority
        do { own = try CertificateAuthority(pem: pem, keyPEM: keyPEM) } catch { throw foreign }
        try save(own)
        return own
    }

    /// Laptops refuse certificates whose authority has expired.
    private func ended(_ authority: CertificateAuthority) -> ConfigurationError {
        let day = authority.certificate.notValidAfter.formatted(.iso8601.year().month().day())
        return ConfigurationError(
            self.authority, problem: "has ended on \(day), and no certificate that it signs is valid for longer",
            hint: "Move \(self.authority), \(authorityKey), \(certificate) and \(key) away, make new ones with "
                + "'certificate new', and let every laptop sign in again: fieldbook login")
    }

    /// The error for a lost or damaged certificate that the gateway needs now.
    var unreadable: ConfigurationError {
        let isThere = FileManager.default.fileExists(atPath: certificate)
        let isOurs = FileManager.default.fileExists(atPath: authority)
        return ConfigurationError(
            certificate, problem: isThere ? "is not a readable PEM certificate" : "is missing",
            hint: isOurs
                ? "Its authority can make another; name the gateway: certificate renew --host NAME"
                : "Get it again from its issuer")
    }

    /// The error for its key.
    var keyUnreadable: ConfigurationError {
        let isThere = FileManager.default.fileExists(atPath: key)
        return ConfigurationError(
            key, problem: isThere ? "is not a readable PEM private key" : "is missing", hint: newPair)
    }

    /// The error for two files that do not fit together.
    var unrelated: ConfigurationError {
        ConfigurationError(key, problem: "does not belong to the certificate \(certificate)", hint: newPair)
    }

    private var newPair: String {
        FileManager.default.fileExists(atPath: authority)
            ? "Its authority makes both files again: certificate renew" : "Get both again from their issuer"
    }

    private var foreign: ConfigurationError {
        let isOurs = FileManager.default.fileExists(atPath: authority)
        let otherwise =
            isOurs
            ? "If it is there by mistake, move it away, and name the gateway: certificate renew --host NAME"
            : "If this gateway made it, and the files of its authority are lost, move \(certificate) and \(key) away, "
                + "make new ones with 'certificate new', and let every laptop sign in again: fieldbook login"
        return ConfigurationError(
            certificate, problem: "was not signed by this gateway's own authority",
            hint: "Have its issuer renew it; the gateway takes over new files within ten seconds. \(otherwise)")
    }

    private func current() throws -> Certificate {
        guard let text = try found(certificate) else {
            throw UnusableCertificate(error: ConfigurationError(certificate, problem: "is missing"))
        }
        do { return try Certificate(firstOf: text) } catch {
            throw UnusableCertificate(
                error: ConfigurationError(certificate, problem: "is not a readable PEM certificate"))
        }
    }

    /// The certificate in its file.
    ///
    /// - Throws: `ConfigurationError`
    private func presentCertificate() throws -> Certificate {
        do { return try current() } catch let unusable as UnusableCertificate { throw unusable.error }
    }

    private func text(_ path: String) throws -> String {
        guard let text = try found(path) else { throw ConfigurationError(path, problem: "is missing") }
        return text
    }

    /// `nil` if there is no such file.
    private func found(_ path: String) throws(ConfigurationError) -> String? {
        do {
            return try FileContent.bytes(path).map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw ConfigurationError(
                path, problem: error.problem, hint: "Run the command as the account of the gateway")
        }
    }

    private func save(_ made: CertificateAuthority) throws {
        try PrivateFile.write([
            PrivateFile(path: authorityKey, text: made.keyPEM, mode: 0o600),
            PrivateFile(path: authority, text: try made.pem, mode: 0o644),
        ])
    }

    /// A running gateway keeps the old pair until both files fit.
    private func issue(by authority: CertificateAuthority, hosts: [String]) throws -> CertificateAuthority.Issued {
        let issued = try authority.issue(hosts: hosts)
        try PrivateFile.write([
            PrivateFile(path: key, text: issued.keyPEM, mode: 0o600),
            PrivateFile(path: certificate, text: issued.pem, mode: 0o644),
        ])
        return issued
    }
}
