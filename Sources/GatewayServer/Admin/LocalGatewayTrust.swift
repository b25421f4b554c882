import GatewayCore
import NIOCore
import NIOSSL
import SwiftASN1
import Synchronization
import X509

/// How a command recognises the gateway of its own machine: by the certificate in its files, or one that its own
/// authority has signed. Names and dates are not checked, because commands are used to repair them.
final class LocalGatewayTrust: Sendable {
    private let own: [UInt8]?
    private let authority: Certificate?
    private let found = Mutex<Finding?>(nil)

    enum Finding: Sendable {
        case right, other
    }

    /// Throws where neither of the files can be read.
    init(_ tls: GatewayConfiguration.TLS) throws(ConfigurationError) {
        own = (try? NIOSSLCertificate.fromPEMFile(tls.certificatePath).first?.toDERBytes()) ?? nil
        authority = (try? FileContent.bytes(CertificateFiles(tls).authority)).flatMap { bytes in
            bytes.flatMap { try? Certificate(firstOf: String(decoding: $0, as: UTF8.self)) }
        }
        guard own != nil || authority != nil else {
            throw ConfigurationError(tls.certificatePath, problem: "is not a readable PEM certificate")
        }
    }

    /// The program that has presented its certificate; `nil` if none has.
    var finding: Finding? { found.withLock { $0 } }

    func handler() throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([])
        // A certificate from another authority only has the public name.
        configuration.certificateVerification = .noHostnameVerification
        let context = try NIOSSLContext(configuration: configuration)
        return try NIOSSLClientHandler(context: context, serverHostname: nil) { [self] chain, verdict in
            let isRight = chain.first.map(holds) ?? false
            found.withLock { $0 = isRight ? .right : .other }
            verdict.succeed(isRight ? .certificateVerified : .failed)
        }
    }

    private func holds(for shown: NIOSSLCertificate) -> Bool {
        guard let bytes = try? shown.toDERBytes() else { return false }
        if bytes == own { return true }
        guard let authority, let certificate = try? Certificate(derEncoded: bytes) else { return false }
        return certificate.issuer == authority.subject
            && authority.publicKey.isValidSignature(certificate.signature, for: certificate)
    }
}
