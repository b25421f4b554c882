import NIOCore
import NIOPosix
import NIOSSL
import Testing
import WireSupport
import X509

@testable import BLIPTransport

/// The verification against an authority that is trusted, as those of the system are.
@Suite struct CertificateJudgeTests {
    private func verdict(
        _ leaf: TestCertificate, trusting authority: TestCertificate, host: String = "localhost",
        _ trust: BLIPClientConfiguration.TLSTrust = .system
    ) async throws -> TransportError.TLSFailure? {
        let judge = CertificateJudge(
            trust: trust, endpoint: try WebSocketAddress("wss://\(host)/db"),
            roots: CertificateStore([authority.certificate])
        )
        let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: NIOSSLVerificationResult.self)
        judge.judge([try NIOSSLCertificate(bytes: leaf.der, format: .der)], verdict: promise)
        let result = try await promise.futureResult.get()
        #expect((result == .certificateVerified) == (judge.findings.failure == nil))
        return judge.findings.failure
    }

    @Test func aChainToATrustedAuthorityIsAcceptedForItsHosts() async throws {
        let authority = try TestCertificate(name: "Test CA", isAuthority: true)
        let leaf = try TestCertificate(name: "x", hosts: ["localhost", "*.example.com"], issuer: authority)
        #expect(try await verdict(leaf, trusting: authority) == nil)
        #expect(try await verdict(leaf, trusting: authority, host: "a.example.com") == nil)
        #expect(try await verdict(leaf, trusting: authority, host: "example.org") == .hostMismatch)
        #expect(try await verdict(leaf, trusting: authority, host: "127.0.0.1") == .hostMismatch)
    }

    /// Only one that has really signed it: a name is anybody's.
    @Test func theAuthorityOfAChainIsTheOneThatSigned() throws {
        let authority = try TestCertificate(name: "Test CA", isAuthority: true)
        let leaf = try TestCertificate(name: "x", issuer: authority)
        let namesake = try TestCertificate(name: "Test CA", isAuthority: true)
        let (own, other, signer) = (try leaf.der, try namesake.der, try authority.der)
        #expect(CertificateChain([own, other, signer]).authority == signer)
        #expect(CertificateChain([own, other]).authority == nil)
        #expect(CertificateChain([own]).authority == nil)
    }

    /// A public authority signs for everybody.
    @Test func aPinnedAuthorityThatTheSystemTrustsVouchesForThisHostOnly() async throws {
        let authority = try TestCertificate(name: "Public CA", isAuthority: true)
        let leaf = try TestCertificate(name: "x", hosts: ["localhost"], issuer: authority)
        let pinned = try BLIPClientConfiguration.TLSTrust.pinned(certificate: authority.der)
        #expect(try await verdict(leaf, trusting: authority, pinned) == nil)
        #expect(try await verdict(leaf, trusting: authority, host: "example.org", pinned) == .hostMismatch)
    }

    @Test func expiredAndForeignOnesAreNot() async throws {
        let authority = try TestCertificate(name: "Test CA", isAuthority: true)
        let expired = try TestCertificate(name: "x", issuer: authority, days: -1)
        #expect(try await verdict(expired, trusting: authority) == .expired)
        let tooNew = try TestCertificate(name: "x", issuer: authority, begins: 1, days: 2)
        #expect(try await verdict(tooNew, trusting: authority) == .notYetValid)
        let namesake = try TestCertificate(name: "Test CA", isAuthority: true)
        let foreign = try TestCertificate(name: "x", issuer: namesake)
        #expect(try await verdict(foreign, trusting: authority) == .untrusted)
    }
}
