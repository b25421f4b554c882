import BLIPTransport
import Foundation

/// An X.509 certificate, for pinning: read from PEM or DER.
public struct Certificate: Sendable, Hashable {
    /// DER.
    public let data: Data

    /// Reads the first certificate of a PEM text, or DER.
    ///
    /// - Throws: ``ReplicationError`` with the code `CBLError.invalidParameter` if there is none.
    public init(data: Data) throws {
        let text = String(decoding: data, as: UTF8.self)
        if let begin = text.range(of: "-----BEGIN CERTIFICATE-----") {
            guard let end = text.range(of: "-----END CERTIFICATE-----", range: begin.upperBound..<text.endIndex),
                let der = Data(
                    base64Encoded: String(text[begin.upperBound..<end.lowerBound]),
                    options: .ignoreUnknownCharacters), CertificateChain.isCertificate(Array(der))
            else { throw ReplicationError.invalid("The PEM text holds no certificate.") }
            self.data = der
        } else {
            guard CertificateChain.isCertificate(Array(data)) else {
                throw ReplicationError.invalid("The data are neither a PEM nor a DER certificate.")
            }
            self.data = data
        }
    }

    /// Reads a file with a certificate, DER or PEM.
    ///
    /// - Throws: Foundation's `CocoaError` if the file cannot be read; otherwise the errors of ``init(data:)``.
    public init(contentsOf file: URL) throws { try self.init(data: Data(contentsOf: file)) }

    init(der: [UInt8]) { data = Data(der) }
}
