import DocumentStore
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization
import Testing
import WireSupport

@testable import Replication

/// Replication through an HTTP proxy.
@Suite struct ProxyTests {
    private static let password = "pröxy-secret"
    private static var credentials: String { "Basic " + Data("ann:\(password)".utf8).base64EncodedString() }

    private struct Outcome {
        var error: ReplicationError?
        var log: ReplicatorLog
        var heads: [String]
        var requests: Int
        var hasArrived: Bool
    }

    private func replicate(
        _ behaviour: TunnelProxy.Behaviour, secure: Bool = false, username: String? = nil, password: String? = nil,
        isContinuous: Bool = false, attempts: UInt = 1
    ) async throws -> Outcome {
        let certificate = try TestCertificate(name: "localhost")
        let gateway = try await LoopbackGateway.start(tls: secure ? certificate.serverConfiguration() : nil)
        let proxy = try await TunnelProxy.start(behaviour)
        let laptop = try Laptop()
        try laptop.put("a", #"{"c":"north"}"#)
        var configuration = try laptop.configuration(gateway, secure: secure)
        configuration.pinnedServerCertificate = try Certificate(data: Data(certificate.der))
        configuration.authenticator = BasicAuthenticator(username: "ben", password: "gateway-secret")
        configuration.proxy = ProxySettings(
            host: "127.0.0.1", port: UInt16(proxy.port), username: username, password: password)
        configuration.continuous = isContinuous
        configuration.maxAttempts = attempts
        let environment = ReplicatorEnvironment(firstWait: 0.01, connectTimeout: .milliseconds(500))
        let log = ReplicatorLog(configuration, environment)
        let error = try await log.runToEnd()
        log.close()
        let requests = gateway.state.withLock { $0.requests }
        // The password for one of them is not shown to the other.
        #expect(requests.allSatisfy { !$0.headers.contains(name: "Proxy-Authorization") })
        #expect(proxy.heads.allSatisfy { !$0.contains("\r\nAuthorization:") && !$0.contains("gateway-secret") })
        try await proxy.stop()
        try await gateway.stop()
        return Outcome(
            error: error, log: log, heads: proxy.heads, requests: requests.count,
            hasArrived: gateway.body("a") != nil)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true], [false, true])
    func aTunnelCarriesAReplication(secure: Bool, asks: Bool) async throws {
        let outcome = try await replicate(
            asks ? .asks(Self.credentials) : .open, secure: secure, username: asks ? "ann" : nil,
            password: asks ? Self.password : nil)
        #expect(outcome.error == nil && outcome.hasArrived)
        #expect(outcome.heads.count == 1)
        let host = secure ? "localhost" : "127.0.0.1"
        #expect(outcome.heads.first?.hasPrefix("CONNECT \(host):") == true)
        #expect(outcome.heads.first?.contains("Proxy-Authorization") == asks)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [nil, "wrong-secret"], [false, true])
    func aProxyThatWantsAnotherPasswordStops(password: String?, isContinuous: Bool) async throws {
        let outcome = try await replicate(
            .asks(Self.credentials), username: password == nil ? nil : "ann", password: password,
            isContinuous: isContinuous, attempts: 5)
        #expect(outcome.error?.code == CBLError.httpBase + 407)
        #expect(outcome.log.activities == [.connecting, .stopped])
        #expect(outcome.requests == 0)
    }

    /// No error shows a password.
    @Test(.timeLimit(.minutes(1))) func errorsShowNoSecrets() async throws {
        let answers = ["HTTP/1.1 403 Forbidden\r\n\r\n", "HTTP/1.1 407 No\r\n\r\n", "SSH-2.0\r\n\r\n", ""]
        for answer in answers {
            let outcome = try await replicate(.answers(answer), username: "ann", password: Self.password)
            let error = try #require(outcome.error)
            var texts = ["\(error)", String(reflecting: error), error.localizedDescription, "\(error as NSError)"]
            dump(error, to: &texts[0])
            for text in texts {
                for secret in [Self.password, String(Self.credentials.dropFirst(6)), "gateway-secret", "Basic"] {
                    #expect(!text.contains(secret), "\(answer)")
                }
            }
            #expect(!"\(outcome.log.replicator.config.proxy as Any)".contains(Self.password))
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("HTTP/1.1 403 Forbidden\r\n\r\n", 10_403, 1), ("HTTP/1.0 405 No\r\n\r\n", 10_405, 1),
            ("HTTP/1.1 407 Who?\r\nContent-Length: 9\r\n\r\n<p>No</p>", 10_407, 1),
            ("HTTP/1.1 502 Bad Gateway\r\n\r\n", 10_502, 3),
            ("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy", 10_503, 3),
            ("HTTP/1.1 504 Gateway Timeout\r\n\r\n", 10_504, 3), ("SSH-2.0-OpenSSH_9.2\r\n\r\n", 5_022, 1),
            ("", 5_003, 3),
        ])
    func refusalsHaveTheirNumbers(answer: String, code: Int, attempts: Int) async throws {
        let outcome = try await replicate(answer.isEmpty ? .silent : .answers(answer), attempts: 3)
        #expect(outcome.error?.code == code, "\(outcome.error as Any)")
        #expect(outcome.heads.count == attempts)
        #expect(outcome.requests == 0)
    }

    @Test(.timeLimit(.minutes(1))) func aProxyThatIsNotThereIsTriedAgain() async throws {
        let laptop = try Laptop()
        let gateway = try await LoopbackGateway.start()
        let proxy = try await TunnelProxy.start()
        let port = UInt16(proxy.port)
        try await proxy.stop()
        var configuration = try laptop.configuration(gateway)
        configuration.proxy = ProxySettings(host: "127.0.0.1", port: port)
        configuration.maxAttempts = 3
        let log = ReplicatorLog(configuration, ReplicatorEnvironment(firstWait: 0.01))
        let error = try await log.runToEnd()
        #expect(error?.domain == ReplicationError.posixDomain && error?.code == Int(ECONNREFUSED))
        #expect(log.activities.filter { $0 == .connecting }.count == 3)
        // No connection goes around the proxy.
        #expect(gateway.state.withLock { $0.requests.isEmpty })
        log.close()
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aGatewayThatIsNotThereIsTheProxysTrouble() async throws {
        let proxy = try await TunnelProxy.start()
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        let configuration = try laptop.configuration(gateway)
        try await gateway.stop()
        var proxied = configuration
        proxied.proxy = ProxySettings(host: "127.0.0.1", port: UInt16(proxy.port))
        let log = ReplicatorLog(proxied)
        let error = try await log.runToEnd()
        #expect(error?.code == CBLError.httpBase + 502)
        log.close()
        try await proxy.stop()
    }
}
