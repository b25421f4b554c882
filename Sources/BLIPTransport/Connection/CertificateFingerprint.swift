import Crypto
import DocumentValues

/// What people compare a certificate by.
package enum CertificateFingerprint {
    /// SHA-256 over the DER, in hexadecimal.
    package static func text(_ der: some Sequence<UInt8>) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array(der)))
    }
}
