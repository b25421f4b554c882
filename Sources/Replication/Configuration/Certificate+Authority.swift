import BLIPTransport
import Foundation

extension Certificate {
    private static let pemBegin = "-----BEGIN CERTIFICATE-----"

    /// The certificate of a file that should be pinned. If the file has a server's certificate and the authority that has
    /// signed it, that is the authority, because the server's certificate will be renewed. Otherwise it is the first one.
    package static func toPin(in file: URL) throws -> Certificate {
        let data = try Data(contentsOf: file)
        let first = try Certificate(data: data)
        let blocks = String(decoding: data, as: UTF8.self).components(separatedBy: pemBegin).dropFirst()
        // Unreadable certificates behind the first are ignored: they cannot be its authority.
        let all = blocks.compactMap { try? Certificate(data: Data((pemBegin + $0).utf8)) }
        return CertificateChain(all.map { Array($0.data) }).authority.map { Certificate(der: $0) } ?? first
    }
}
