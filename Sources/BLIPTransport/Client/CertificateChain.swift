import SwiftASN1
import X509

/// The certificates that a server presents, its own first.
package struct CertificateChain: Sendable {
    /// DER.
    private let certificates: [[UInt8]]

    package init(_ certificates: [[UInt8]]) { self.certificates = certificates }

    /// Whether these bytes, from the first to the last, are the DER of one certificate.
    package static func isCertificate(_ der: [UInt8]) -> Bool { (try? Certificate(derEncoded: der)) != nil }

    /// The authority that has signed the server's certificate, where it is among the others. A client that trusts the
    /// certificate can trust this instead, and needs nothing when the certificate is renewed.
    package var authority: [UInt8]? {
        guard let first = certificates.first, let leaf = try? Certificate(derEncoded: first) else { return nil }
        return certificates.dropFirst().first { encoded in
            guard let other = try? Certificate(derEncoded: encoded), other.subject == leaf.issuer, other.isSelfSigned,
                case .isCertificateAuthority = try? other.extensions.basicConstraints
            else { return false }
            return other.publicKey.isValidSignature(leaf.signature, for: leaf)
        }
    }
}
