import Crypto
import Foundation
import SodiumCrypto
import SwiftASN1
import X509

/// Makes a new gateway's folder: configuration, certificate, storage and an administrator.
package struct GatewaySetup {
    package struct Result {
        package let configurationPath: String
        package let adminPassword: String
        /// SHA-256 of the certificate, in hexadecimal; `nil` without TLS.
        package let certificateFingerprint: String?
    }

    private let folder: String
    private let hosts: [String]
    private let hasTLS: Bool

    package init(folder: String, hosts: [String], hasTLS: Bool) {
        self.folder = folder
        self.hosts = hosts
        self.hasTLS = hasTLS
    }

    package func run() throws -> Result {
        let configurationPath = folder + "/gateway.yaml"
        guard !FileManager.default.fileExists(atPath: configurationPath) else {
            throw ConfigurationError(
                configurationPath, "is there already and was left as it is", hint: "Choose another --folder")
        }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let fingerprint = hasTLS ? try writeCertificate() : nil
        let password = Self.newPassword()
        try Administrators.set("admin", password: password, storage: folder + "/data")
        try Self.write(Self.template(hasTLS: hasTLS), to: configurationPath, mode: 0o600)
        return Result(
            configurationPath: configurationPath, adminPassword: password, certificateFingerprint: fingerprint)
    }

    /// 20 characters that cannot be mistaken for each other: 99 bits.
    package static func newPassword() -> String {
        let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)
        var characters: [UInt8] = []
        while characters.count < 20 {
            // Bytes beyond the last whole multiple would favour the first characters.
            for byte in SecureRandom.bytes(32) where byte < 248 && characters.count < 20 {
                characters.append(alphabet[Int(byte) % alphabet.count])
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    private static func write(_ text: String, to path: String, mode: Int) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    // MARK: - Certificate

    private func writeCertificate() throws -> String {
        let key = P256.Signing.PrivateKey()
        let certificate = try Self.certificate(for: hosts, key: key)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        let der = serializer.serializedBytes
        try Self.write(
            PEMDocument(type: "CERTIFICATE", derBytes: der).pemString + "\n", to: folder + "/cert.pem", mode: 0o644)
        try Self.write(key.pemRepresentation + "\n", to: folder + "/key.pem", mode: 0o600)
        return SHA256.hash(data: der).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func certificate(for hosts: [String], key: P256.Signing.PrivateKey) throws -> Certificate {
        let name = try DistinguishedName { CommonName(hosts.first ?? "fieldbook-gateway") }
        let now = Date()
        let names = (["localhost"] + hosts).map { GeneralName.dnsName($0) }
        let loopback = GeneralName.ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
            notValidBefore: now.addingTimeInterval(-3_600), notValidAfter: now.addingTimeInterval(825 * 86_400),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(digitalSignature: true, keyCertSign: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names + [loopback])
            },
            issuerPrivateKey: .init(key))
    }

    // MARK: - Configuration

    private static func template(hasTLS: Bool) -> String {
        let https =
            hasTLS
            ? """
              https:
                tls_cert_path: cert.pem
                tls_key_path: key.pem
            """
            : """
              # https:
              #   tls_cert_path: cert.pem
              #   tls_key_path: key.pem
            """
        return """
            # The configuration of a Fieldbook gateway. Keys under `api` and `logging` mean what they mean in
            # Sync Gateway's start-up configuration. Relative paths count from this file's folder.

            api:
              # Where laptops and apps connect. 127.0.0.1:4984 keeps it to this machine.
              public_interface: "0.0.0.0:4984"
              # Databases, users and roles are made here. Leave it on loopback, or put a firewall before it.
              admin_interface: "127.0.0.1:4985"
              # Prometheus reads /metrics here.
              metrics_interface: "127.0.0.1:4986"
              # Both ask for the administrator's name and password unless this is false.
              admin_interface_authentication: true
              metrics_interface_authentication: true
            \(https)

            storage:
              # One folder a database. Back up this folder and you have everything.
              path: data

            logging:
              console:
                # trace, debug, info, warn, error
                log_level: info

            """
    }
}
