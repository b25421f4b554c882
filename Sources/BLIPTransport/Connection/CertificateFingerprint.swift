import Crypto
import DocumentValues

/// The text by which people compare certificates.
package enum CertificateFingerprint {
    /// SHA-256 over the DER, in hexadecimal.
    package static func text(_ der: some Sequence<UInt8>) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array(der)))
    }
}
