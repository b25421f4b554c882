import BLIPTransport
import Foundation

extension Certificate {
    private static let pemBegin = "-----BEGIN CERTIFICATE-----"

    /// What a file holds to be pinned: where it is a server's own certificate with the authority that has signed it, that
    /// authority, since the certificate will be renewed; otherwise the first certificate.
    package static func toPin(in file: URL) throws -> Certificate {
        let data = try Data(contentsOf: file)
        let first = try Certificate(data: data)
        let blocks = String(decoding: data, as: UTF8.self).components(separatedBy: pemBegin).dropFirst()
        // What cannot be read behind the first vouches for nobody.
        let all = blocks.compactMap { try? Certificate(data: Data((pemBegin + $0).utf8)) }
        return CertificateChain(all.map { Array($0.data) }).authority.map { Certificate(der: $0) } ?? first
    }
}
