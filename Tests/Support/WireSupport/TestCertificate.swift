import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A certificate made for one test.
package struct TestCertificate: Sendable {
    package let certificate: Certificate
    package let key: P256.Signing.PrivateKey

    /// - Parameters:
    ///   - issuer: the certificate that signs; `nil` for a self-signed one.
    ///   - begins: days from now to the first on which it is valid.
    ///   - days: until it expires; negative for an expired one.
    package init(
        name: String, hosts: [String] = ["localhost"], issuer: TestCertificate? = nil, isAuthority: Bool = false,
        begins: Double = -10, days: Double = 1
    ) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(name) }
        let now = Date()
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now + 86_400 * begins, notValidAfter: now + 86_400 * days,
            issuer: issuer?.certificate.subject ?? subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                if isAuthority {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                } else {
                    Critical(BasicConstraints.notCertificateAuthority)
                }
                SubjectAlternativeNames(hosts.map { .dnsName($0) })
            },
            issuerPrivateKey: Certificate.PrivateKey(issuer?.key ?? key))
        self.key = key
    }

    package var der: [UInt8] {
        get throws { try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem).toDERBytes() }
    }

    package var pem: String {
        get throws { try certificate.serializeAsPEM().pemString }
    }

    package var keyPEM: String { key.pemRepresentation }

    /// For a server that shows this certificate, and `others` after it.
    package func serverConfiguration(with others: [TestCertificate] = []) throws -> TLSConfiguration {
        let chain = try ([self] + others).map {
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: Array($0.pem.utf8), format: .pem))
        }
        let privateKey = try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
        return TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(privateKey))
    }
}
