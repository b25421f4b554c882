import Crypto
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// Decides whether a server's certificates are accepted, and remembers them and the reason for a refusal.
final class CertificateJudge: Sendable {
    struct Findings: Sendable {
        /// DER, the server's own first.
        var certificates: [[UInt8]] = []
        var failure: TransportError.TLSFailure?
    }

    private let trust: BLIPClientConfiguration.TLSTrust
    private let endpoint: WebSocketAddress
    private let roots: CertificateStore
    private let box = NIOLockedValueBox(Findings())
    private let report: (@Sendable (ConnectionStep) -> Void)?

    init(
        trust: BLIPClientConfiguration.TLSTrust, endpoint: WebSocketAddress,
        roots: CertificateStore = .systemTrustRoots,
        report: (@Sendable (ConnectionStep) -> Void)? = nil
    ) {
        self.report = report
        self.trust = trust
        self.endpoint = endpoint
        self.roots = roots
    }

    var findings: Findings { box.withLockedValue { $0 } }

    /// The authority that has signed the server's certificate, as far as the server has sent it.
    var presentedAuthority: [UInt8]? { CertificateChain(findings.certificates).authority }

    /// Replaces all of the TLS library's own checks of the certificates.
    func judge(_ presented: [NIOSSLCertificate], verdict: EventLoopPromise<NIOSSLVerificationResult>) {
        verdict.completeWithTask {
            let failure = await self.examine(presented)
            self.box.withLockedValue { $0.failure = failure }
            self.report?(.certificate(self.subject, refused: failure))
            return failure == nil ? .certificateVerified : .failed
        }
    }

    /// The subject of the server's own certificate.
    private var subject: String {
        findings.certificates.first.flatMap { try? Certificate(derEncoded: $0) }.map { "\($0.subject)" } ?? "none"
    }

    private func examine(_ presented: [NIOSSLCertificate]) async -> TransportError.TLSFailure? {
        let chain: [Certificate]
        do {
            let encoded = try presented.map { try $0.toDERBytes() }
            box.withLockedValue { $0.certificates = encoded }
            chain = try encoded.map { try Certificate(derEncoded: $0) }
        } catch {
            return .handshakeFailed
        }
        guard let leaf = chain.first else { return .handshakeFailed }
        switch trust {
        case .system: return await examine(leaf, chain: chain, roots: roots)
        case .authorities(let certificates):
            // An authority's certificate that cannot be read is left out: it can confirm no other.
            let authorities = certificates.compactMap { try? Certificate(derEncoded: $0) }
            return await examine(leaf, chain: chain, roots: CertificateStore(authorities))
        case .selfSignedOnly: return leaf.isSelfSigned ? nil : .notSelfSigned
        case .pinned(let pinned): return await examine(leaf, chain: chain, pinned: pinned)
        }
    }

    private func examine(
        _ leaf: Certificate, chain: [Certificate], pinned: [UInt8]
    ) async -> TransportError.TLSFailure? {
        // The pinned certificate is the server's own: its names do not matter, but it must be valid now.
        if findings.certificates.first == pinned { return Self.datesFailure([leaf]) }
        // The pinned certificate is an authority's: certificates that it signed are accepted. It is not enough that the
        // server sends it along; the signatures must lead to it. With a private authority the name of the host is not
        // compared, as in a stock client: it only signs for its own servers. A public authority signs for anyone, so
        // there the name must fit.
        guard let authority = try? Certificate(derEncoded: pinned) else { return .badConfiguration }
        let failure = await examine(leaf, chain: chain, roots: CertificateStore([authority]))
        return switch failure {
        case .hostMismatch: await isVouchedForBySystem(leaf, chain: chain) ? failure : nil
        case nil, .expired, .notYetValid: failure
        case .selfSigned: .selfSignedNotPinned
        default: .notPinned
        }
    }

    private func isVouchedForBySystem(_ leaf: Certificate, chain: [Certificate]) async -> Bool {
        var signatures = Verifier(rootCertificates: roots) { SignaturesAlone() }
        let result = await signatures.validate(leaf: leaf, intermediates: CertificateStore(chain.dropFirst()))
        return if case .validCertificate = result { true } else { false }
    }

    private func examine(
        _ leaf: Certificate, chain: [Certificate], roots: CertificateStore
    ) async -> TransportError.TLSFailure? {
        let intermediates = CertificateStore(chain.dropFirst())
        var signatures = Verifier(rootCertificates: roots) { RFC5280Policy() }
        guard case .validCertificate = await signatures.validate(leaf: leaf, intermediates: intermediates) else {
            return await Self.reason(leaf, intermediates: intermediates, roots: roots)
        }
        let isAddress = (try? SocketAddress(ipAddress: endpoint.host, port: 0)) != nil
        var identity = Verifier(rootCertificates: roots) {
            RFC5280Policy()
            ServerIdentityPolicy(
                serverHostname: isAddress ? nil : endpoint.host, serverIP: isAddress ? endpoint.host : nil)
        }
        guard case .validCertificate = await identity.validate(leaf: leaf, intermediates: intermediates) else {
            return .hostMismatch
        }
        return nil
    }

    /// Why no chain was found. An unknown authority is reported before wrong dates, because without a trusted signature
    /// the dates mean nothing.
    private static func reason(
        _ leaf: Certificate, intermediates: CertificateStore, roots: CertificateStore
    ) async -> TransportError.TLSFailure {
        var signatures = Verifier(rootCertificates: roots) { SignaturesAlone() }
        guard case .validCertificate(let chain) = await signatures.validate(leaf: leaf, intermediates: intermediates)
        else { return leaf.isSelfSigned ? .selfSigned : .untrusted }
        return datesFailure(chain) ?? .untrusted
    }

    private static func datesFailure(_ chain: some Sequence<Certificate>) -> TransportError.TLSFailure? {
        let now = Date()
        if chain.contains(where: { $0.notValidAfter < now }) { return .expired }
        return chain.contains { $0.notValidBefore > now } ? .notYetValid : nil
    }
}

/// Checks the signatures only. It never accepts a chain: it is used to find out why a chain was refused.
private struct SignaturesAlone: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
        .X509ExtensionID.nameConstraints, .X509ExtensionID.subjectAlternativeName,
    ]

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) async -> PolicyEvaluationResult {
        .meetsPolicy
    }
}

extension Certificate {
    /// Signed with its own key; a chain of one is not enough.
    var isSelfSigned: Bool { issuer == subject && publicKey.isValidSignature(signature, for: self) }
}

extension TransportError {
    /// A TLS handshake that failed.
    init(tls error: any Error, _ failure: TLSFailure?, endpoint: WebSocketAddress) {
        let (message, hint): (String, String?) =
            switch failure ?? .handshakeFailed {
            case .untrusted:
                (
                    "The certificate of \(endpoint) was signed by no authority that this system trusts.",
                    "Install the authority's certificate, or pin the server's."
                )
            case .selfSigned:
                (
                    "The certificate of \(endpoint) is self-signed.",
                    "Pin it, or accept self-signed certificates, if this is your server."
                )
            case .notSelfSigned:
                (
                    "The certificate of \(endpoint) is not self-signed, and only such is accepted.",
                    "If this is your server, pin the certificate, or that of the authority that has signed it."
                )
            case .expired:
                (
                    "The certificate of \(endpoint) has expired.",
                    "The server needs a new one, unless the clock of this machine is ahead."
                )
            case .notYetValid: ("The certificate of \(endpoint) is not valid yet.", "Check this machine's clock.")
            case .hostMismatch: ("The certificate of \(endpoint) is for another host.", "Check the address.")
            case .notPinned, .selfSignedNotPinned:
                (
                    "The certificate of \(endpoint) is not the pinned one.",
                    "If the server has a new certificate, pin that; otherwise another machine is in between."
                )
            case .badConfiguration: ("The certificate to pin cannot be read.", "It must be DER.")
            case .handshakeFailed:
                (
                    "No secure connection to \(endpoint) came about.",
                    "Does this port speak TLS (wss) at all? If not, the address begins with ws://"
                )
            }
        self.init(.tls(failure ?? .handshakeFailed), message: message, hint: hint, underlying: error)
    }
}
