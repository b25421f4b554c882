import DocumentStore
import Foundation

/// An X.509 certificate, for pinning: read from PEM or DER.
public struct Certificate: Sendable, Hashable {
    /// DER.
    public let data: Data

    /// Reads the first certificate of a PEM text, or DER.
    public init(data: Data) throws {
        let text = String(decoding: data, as: UTF8.self)
        if let begin = text.range(of: "-----BEGIN CERTIFICATE-----") {
            guard let end = text.range(of: "-----END CERTIFICATE-----", range: begin.upperBound..<text.endIndex),
                let der = Data(
                    base64Encoded: String(text[begin.upperBound..<end.lowerBound]),
                    options: .ignoreUnknownCharacters), Self.isWholeSequence(der)
            else { throw ReplicationError.invalid("The PEM text holds no certificate.") }
            self.data = der
        } else {
            guard Self.isWholeSequence(data) else {
                throw ReplicationError.invalid("The data are neither a PEM nor a DER certificate.")
            }
            self.data = data
        }
    }

    /// Reads a file with a certificate, DER or PEM. Throws where it is none, or cannot be read.
    public init(contentsOf file: URL) throws { try self.init(data: Data(contentsOf: file)) }

    /// Whether these are one DER sequence, as a certificate is, from its first to its last byte: a file that was cut off is
    /// not.
    private static func isWholeSequence(_ data: Data) -> Bool {
        var rest = data[...]
        guard rest.popFirst() == 0x30, var length = rest.popFirst().map(Int.init) else { return false }
        if length >= 0x80 {
            let lengthBytes = rest.prefix(length & 0x7F)
            guard 1...4 ~= length & 0x7F, lengthBytes.count == length & 0x7F else { return false }
            length = lengthBytes.reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(lengthBytes.count)
        }
        return rest.count == length
    }

    init(der: [UInt8]) { data = Data(der) }
}
