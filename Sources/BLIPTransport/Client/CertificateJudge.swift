import Crypto
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// Decides whether a server's certificates are accepted, and remembers them and why not.
final class CertificateJudge: Sendable {
    struct Findings: Sendable {
        /// DER, the server's own first.
        var certificates: [[UInt8]] = []
        var failure: TransportError.TLSFailure?
    }

    private let trust: BLIPClientConfiguration.TLSTrust
    private let endpoint: Endpoint
    private let roots: CertificateStore
    private let box = NIOLockedValueBox(Findings())

    init(
        trust: BLIPClientConfiguration.TLSTrust, endpoint: Endpoint, roots: CertificateStore = .systemTrustRoots
    ) {
        self.trust = trust
        self.endpoint = endpoint
        self.roots = roots
    }

    var findings: Findings { box.withLockedValue { $0 } }

    /// Replaces all of the TLS library's own checks of the certificates.
    func judge(_ presented: [NIOSSLCertificate], _ verdict: EventLoopPromise<NIOSSLVerificationResult>) {
        verdict.completeWithTask {
            let failure = await self.examine(presented)
            self.box.withLockedValue { $0.failure = failure }
            return failure == nil ? .certificateVerified : .failed
        }
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
        case .system: return await examine(leaf, chain, roots: roots)
        case .authorities(let certificates):
            // One that cannot be read vouches for nobody.
            let authorities = certificates.compactMap { try? Certificate(derEncoded: $0) }
            return await examine(leaf, chain, roots: CertificateStore(authorities))
        case .selfSignedOnly: return leaf.isSelfSigned ? nil : .notSelfSigned
        case .pinned(let pinned): return await examine(leaf, chain, pinned: pinned)
        }
    }

    private func examine(
        _ leaf: Certificate, _ chain: [Certificate], pinned: [UInt8]
    ) async -> TransportError.TLSFailure? {
        if findings.certificates.first == pinned { return nil }
        // An authority's certificate: what it signed is accepted, for this host. That it was merely sent along says
        // nothing; the signatures must lead to it.
        guard let authority = try? Certificate(derEncoded: pinned) else { return .badConfiguration }
        let failure = await examine(leaf, chain, roots: CertificateStore([authority]))
        return switch failure {
        case nil, .expired, .notYetValid, .hostMismatch: failure
        case .selfSigned: .selfSignedNotPinned
        default: .notPinned
        }
    }

    private func examine(
        _ leaf: Certificate, _ chain: [Certificate], roots: CertificateStore
    ) async -> TransportError.TLSFailure? {
        let intermediates = CertificateStore(chain.dropFirst())
        var signatures = Verifier(rootCertificates: roots) { RFC5280Policy() }
        guard case .validCertificate = await signatures.validate(leaf: leaf, intermediates: intermediates) else {
            return await Self.reason(leaf, intermediates, roots)
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

    /// Why no chain was found. That nobody vouches for a certificate comes before its dates: they were made up by
    /// whoever made it.
    private static func reason(
        _ leaf: Certificate, _ intermediates: CertificateStore, _ roots: CertificateStore
    ) async -> TransportError.TLSFailure {
        var signatures = Verifier(rootCertificates: roots) { SignaturesAlone() }
        guard case .validCertificate(let chain) = await signatures.validate(leaf: leaf, intermediates: intermediates)
        else { return leaf.isSelfSigned ? .selfSigned : .untrusted }
        let now = Date()
        if chain.contains(where: { $0.notValidAfter < now }) { return .expired }
        if chain.contains(where: { $0.notValidBefore > now }) { return .notYetValid }
        return .untrusted
    }
}

/// Asks for nothing beyond the signatures. Nothing is accepted by it: it tells what is wrong with a chain that was not.
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
    /// A TLS handshake that did not come to its end.
    init(tls error: any Error, _ failure: TLSFailure?, _ endpoint: Endpoint) {
        let (message, hint): (String, String?) =
            switch failure ?? .handshakeFailed {
            case .untrusted:
                (
                    "The certificate of \(endpoint) was signed by nobody this system trusts.",
                    "Install the authority's certificate, or pin the server's."
                )
            case .selfSigned:
                (
                    "The certificate of \(endpoint) is self-signed.",
                    "Pin it, or accept self-signed certificates, if this is your server."
                )
            case .notSelfSigned: ("The certificate of \(endpoint) is not self-signed, and only such is accepted.", nil)
            case .expired: ("The certificate of \(endpoint) has expired.", "The server needs a new one.")
            case .notYetValid: ("The certificate of \(endpoint) is not valid yet.", "Check this machine's clock.")
            case .hostMismatch: ("The certificate of \(endpoint) is for another host.", "Check the address.")
            case .notPinned, .selfSignedNotPinned:
                (
                    "The certificate of \(endpoint) is not the pinned one.",
                    "If the server has a new certificate, pin that; otherwise somebody is in between."
                )
            case .badConfiguration: ("The certificate to pin cannot be read.", "It must be DER.")
            case .handshakeFailed:
                ("No secure connection to \(endpoint) came about.", "Does this port speak TLS (wss) at all?")
            }
        self.init(.tls(failure ?? .handshakeFailed), message, hint: hint, underlying: error)
    }
}
