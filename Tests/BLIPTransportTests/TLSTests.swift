import BLIPProtocol
import BLIPTransport
import NIOCore
import NIOPosix
import Testing
import WireSupport

/// Which certificates are accepted.
@Suite(.timeLimit(.minutes(5))) struct TLSTests {
    /// What comes of connecting to a server that shows `leaf` and `others`.
    private func failure(
        _ trust: BLIPClientConfiguration.TLSTrust, _ leaf: TestCertificate, _ others: [TestCertificate] = []
    ) async throws -> TransportError.TLSFailure? {
        let server = try await TestServer.start(tls: leaf.serverConfiguration(with: others))
        defer { server.stopLater() }
        do throws(TransportError) {
            let connection = try await BLIPConnector.connectWithRetries(
                BLIPClientConfiguration(url: server.url(secure: true), trust: trust))
            #expect(connection.peerCertificates.first == (try? leaf.der))
            connection.abort()
            return nil
        } catch {
            #expect(error.hint != nil)
            if error.code.tlsFailure == nil { Issue.record(error) }
            return error.code.tlsFailure
        }
    }

    @Test func theSystemTrustsNoStrangers() async throws {
        #expect(try await failure(.system, TestCertificate(name: "localhost")) == .selfSigned)
        #expect(try await failure(.system, TestCertificate(name: "localhost", days: -1)) == .selfSigned)
        let authority = try TestCertificate(name: "Test CA", isAuthority: true)
        let leaf = try TestCertificate(name: "localhost", issuer: authority)
        #expect(try await failure(.system, leaf, [authority]) == .untrusted)
    }

    /// The dates count, as for a stock client.
    @Test func thePinnedCertificateIsAcceptedForAnyHostWhileItIsValid() async throws {
        let own = try TestCertificate(name: "localhost")
        #expect(try await failure(.pinned(certificate: own.der), own) == nil)
        let odd = try TestCertificate(name: "elsewhere", hosts: ["elsewhere.example"])
        #expect(try await failure(.pinned(certificate: odd.der), odd) == nil)
        let expired = try TestCertificate(name: "localhost", days: -1)
        #expect(try await failure(.pinned(certificate: expired.der), expired) == .expired)
    }

    @Test func anotherCertificateThanThePinnedOneIsRefused() async throws {
        let own = try TestCertificate(name: "localhost")
        let other = try TestCertificate(name: "localhost")
        #expect(try await failure(.pinned(certificate: other.der), own) == .selfSignedNotPinned)
        // Sending the pinned one along is not enough.
        #expect(try await failure(.pinned(certificate: other.der), own, [other]) == .selfSignedNotPinned)
        #expect(try await failure(.pinned(certificate: [1, 2, 3]), own) == .badConfiguration)
    }

    @Test func aPinnedPrivateAuthorityVouchesForWhatItSigned() async throws {
        let authority = try TestCertificate(name: "Test CA", isAuthority: true)
        let leaf = try TestCertificate(name: "localhost", issuer: authority)
        #expect(try await failure(.pinned(certificate: authority.der), leaf) == nil)
        let elsewhere = try TestCertificate(name: "x", hosts: ["elsewhere.example"], issuer: authority)
        #expect(try await failure(.pinned(certificate: authority.der), elsewhere) == nil)
        let expired = try TestCertificate(name: "localhost", issuer: authority, days: -1)
        #expect(try await failure(.pinned(certificate: authority.der), expired) == .expired)
        let stranger = try TestCertificate(name: "Test CA", isAuthority: true)
        #expect(try await failure(.pinned(certificate: stranger.der), leaf, [authority]) == .notPinned)
    }

    @Test func onlySelfSignedMeansThat() async throws {
        #expect(try await failure(.selfSignedOnly, TestCertificate(name: "any", hosts: ["x"])) == nil)
        let authority = try TestCertificate(name: "Test CA", isAuthority: true)
        let leaf = try TestCertificate(name: "localhost", issuer: authority)
        #expect(try await failure(.selfSignedOnly, leaf, [authority]) == .notSelfSigned)
        // A chain of one whose issuer merely has the same name.
        let namesake = try TestCertificate(name: "Test CA", issuer: authority)
        #expect(try await failure(.selfSignedOnly, namesake) == .notSelfSigned)
    }

    @Test func aPlainPortIsNoTLS() async throws {
        let server = try await TestServer.start()
        await #expect {
            try await BLIPConnector.connectWithRetries(BLIPClientConfiguration(url: server.url(secure: true)))
        } throws: { error in
            (error as? TransportError)?.code.tlsFailure == .handshakeFailed
        }
        try await server.stop()
    }

    @Test func messagesPassOverTLS() async throws {
        let own = try TestCertificate(name: "localhost")
        let server = try await TestServer.start(tls: own.serverConfiguration())
        let connection = try await BLIPConnector.connectWithRetries(
            BLIPClientConfiguration(url: server.url(secure: true), trust: .selfSignedOnly))
        let accepted = try await server.nextConnection().connection
        let client = TestPeer()
        let there = TestPeer(answer: BLIPOutgoing.echo)
        connection.start(delegate: client)
        accepted.start(delegate: there)
        let body = [UInt8](repeating: 9, count: 1 << 20)
        connection.send([.request("large", .bytes(body))])
        guard case .response(_, let reply) = try await client.nextIncoming() else {
            Issue.record("no reply")
            return
        }
        #expect(reply.bodyBytes == body)
        connection.close(code: 1000, reason: "done")
        #expect(try await there.closeReason().reason == "done")
        #expect(try await client.closeReason().code == 1000)
        try await server.stop()
    }
}
