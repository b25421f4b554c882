import Crypto
import DocumentValues
import Foundation
import Glibc
import SwiftASN1
import X509

/// The gateway's own authority, which signs its certificates. Laptops pin the authority, so that they accept a new
/// certificate without a change.
package struct CertificateAuthority: Sendable {
    private static let day: TimeInterval = 86_400
    /// How many days an authority is valid, and a certificate that it signs: browsers and Apple's systems refuse longer
    /// ones.
    private static let authorityDays: TimeInterval = 20 * 365
    private static let certificateDays: TimeInterval = 825

    let certificate: Certificate
    private let key: P256.Signing.PrivateKey

    /// A certificate with its key, to be written into files.
    package struct Issued: Sendable {
        /// The certificate, and behind it the authority's.
        package let pem: String
        package let keyPEM: String
        /// SHA-256 of the certificate alone, in hexadecimal.
        package let fingerprint: String
        package let expires: Date
        /// Whether it would be valid for longer, if its authority were.
        package let endsWithAuthority: Bool
        /// Whether the former certificate was self-signed, and is now the authority.
        package var replacesSelfSigned = false
    }

    /// A new one.
    package init(name: String) throws {
        key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName("Fieldbook authority of \(name)") }
        certificate = try Self.sign(
            subject, by: subject, publicKey: key.publicKey, with: key, days: Self.authorityDays,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
            })
    }

    /// - Throws: if the two do not belong together, or the certificate may not sign others.
    package init(pem: String, keyPEM: String) throws {
        certificate = try Certificate(firstOf: pem)
        key = try P256.Signing.PrivateKey(pemRepresentation: keyPEM)
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey), certificate.signsOthers else {
            throw Mismatch()
        }
    }

    private struct Mismatch: Error {}

    /// Whether it has signed this certificate, or is that certificate itself.
    func vouches(for other: Certificate) -> Bool {
        other.issuer == certificate.subject
            && certificate.publicKey.isValidSignature(other.signature, for: other)
    }

    package var pem: String { get throws { try certificate.serializeAsPEM().pemString + "\n" } }
    package var keyPEM: String { key.pemRepresentation + "\n" }
    package var fingerprint: String { get throws { try certificate.fingerprint } }

    /// A certificate for a server that is reached under these names and addresses, beside `localhost` and 127.0.0.1.
    package func issue(hosts: [String]) throws -> Issued {
        let own = P256.Signing.PrivateKey()
        let names = Self.alternativeNames(["localhost", "127.0.0.1"] + hosts)
        let subject = try DistinguishedName { CommonName(hosts.first ?? "fieldbook-gateway") }
        let left = certificate.notValidAfter.timeIntervalSinceNow / Self.day
        let issued = try Self.sign(
            subject, by: certificate.subject, publicKey: own.publicKey, with: key,
            days: min(Self.certificateDays, left),
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names)
            })
        return Issued(
            pem: try issued.serializeAsPEM().pemString + "\n" + pem, keyPEM: own.pemRepresentation + "\n",
            fingerprint: try issued.fingerprint, expires: issued.notValidAfter,
            endsWithAuthority: left < Self.certificateDays)
    }

    private static func sign(
        _ subject: DistinguishedName, by issuer: DistinguishedName, publicKey: P256.Signing.PublicKey,
        with key: P256.Signing.PrivateKey, days: TimeInterval, extensions: Certificate.Extensions
    ) throws -> Certificate {
        let now = Date()
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(publicKey),
            notValidBefore: now.addingTimeInterval(-3_600), notValidAfter: now.addingTimeInterval(days * day),
            issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
            issuerPrivateKey: .init(key))
    }

    /// Each name once, addresses as addresses.
    private static func alternativeNames(_ hosts: [String]) -> [GeneralName] {
        var names: [GeneralName] = []
        for host in hosts {
            let name = addressBytes(host).map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0[...])) }
            let general = name ?? .dnsName(host)
            if !names.contains(general) { names.append(general) }
        }
        return names
    }

    /// Four bytes of an IPv4 address, sixteen of one of IPv6; `nil` for a name.
    private static func addressBytes(_ host: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, host, &bytes) == 1 { return bytes }
        }
        return nil
    }
}

extension Certificate {
    /// The first of a file, behind which those of authorities may be.
    init(firstOf pem: String) throws {
        guard let first = try PEMDocument.parseMultiple(pemString: pem).first else { throw NoCertificate() }
        try self.init(pemDocument: first)
    }

    private struct NoCertificate: Error {}

    /// SHA-256 of the certificate, in hexadecimal.
    var fingerprint: String {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return Hexadecimal.encode(SHA256.hash(data: serializer.serializedBytes))
        }
    }

    fileprivate var signsOthers: Bool {
        guard case .isCertificateAuthority = try? extensions.basicConstraints else { return false }
        return true
    }

    /// The names and addresses that it is for, as `init --host` takes them.
    var hosts: [String] {
        ((try? extensions.subjectAlternativeNames).flatMap { $0 } ?? SubjectAlternativeNames([])).compactMap { name in
            switch name {
            case .dnsName(let host): return host
            case .ipAddress(let octets):
                let family = octets.bytes.count == 4 ? AF_INET : AF_INET6
                var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
                let bytes = Array(octets.bytes)
                guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
                return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            default: return nil
            }
        }
    }
}
