import Crypto
import DocumentValues
import Foundation
import SwiftASN1
import X509

/// A certificate that the gateway makes for itself; its clients pin it.
package struct SelfSignedCertificate: Sendable {
    package let pem: String
    package let keyPEM: String
    /// SHA-256 of the certificate, in hexadecimal.
    package let fingerprint: String

    /// - Parameter hosts: names beside `localhost` and 127.0.0.1.
    package init(hosts: [String]) throws {
        let key = P256.Signing.PrivateKey()
        let certificate = try Self.certificate(for: hosts, key: key)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        let der = serializer.serializedBytes
        pem = PEMDocument(type: "CERTIFICATE", derBytes: der).pemString + "\n"
        keyPEM = key.pemRepresentation + "\n"
        fingerprint = Hexadecimal.encode(SHA256.hash(data: der))
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
}
