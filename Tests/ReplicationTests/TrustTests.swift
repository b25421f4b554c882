import DocumentStore
import Foundation
import NIOSSL
import Synchronization
import Testing
import WireSupport

@testable import Replication

/// Which gateways a replicator talks to over TLS. The codes are those of a stock client, but where a comment says why
/// not.
@Suite struct TrustTests {
    /// What the gateway shows.
    enum Shown: CaseIterable {
        case rightOne, expired, tooNew, forAnotherHost, ofAStranger
        case selfSigned, selfSignedExpired, selfSignedForAnotherHost
    }

    enum Mode {
        /// The authorities of this machine, who have never heard of ours.
        case system
        /// Instead of the system's; the same rules.
        case authority
        /// The gateway's own certificate.
        case pinned, pinnedAuthority, pinnedStranger, selfSignedOnly
    }

    private struct Certificates {
        let authority, stranger, shown: TestCertificate
        let others: [TestCertificate]

        init(_ shown: Shown) throws {
            authority = try TestCertificate(name: "Test CA", isAuthority: true)
            stranger = try TestCertificate(name: "Other CA", isAuthority: true)
            let (hosts, begins, days): ([String], Double, Double) =
                switch shown {
                case .rightOne, .ofAStranger, .selfSigned: (["localhost"], -10, 1)
                case .expired, .selfSignedExpired: (["localhost"], -10, -1)
                case .tooNew: (["localhost"], 1, 2)
                case .forAnotherHost, .selfSignedForAnotherHost: (["elsewhere.example"], -10, 1)
                }
            let issuer: TestCertificate? =
                switch shown {
                case .rightOne, .expired, .tooNew, .forAnotherHost: authority
                case .ofAStranger: stranger
                case .selfSigned, .selfSignedExpired, .selfSignedForAnotherHost: nil
                }
            others = issuer.map { [$0] } ?? []
            self.shown = try TestCertificate(
                name: hosts[0], hosts: hosts, issuer: issuer, begins: begins, days: days)
        }

        func apply(_ mode: Mode, to configuration: inout ReplicatorConfiguration) throws {
            func certificate(_ certificate: TestCertificate) throws -> Certificate {
                try Certificate(data: Data(certificate.der))
            }
            switch mode {
            case .system: break
            case .authority: configuration.trustedRootCertificates = [try certificate(authority)]
            case .pinned: configuration.pinnedServerCertificate = try certificate(shown)
            case .pinnedAuthority: configuration.pinnedServerCertificate = try certificate(authority)
            case .pinnedStranger: configuration.pinnedServerCertificate = try certificate(stranger)
            case .selfSignedOnly: configuration.acceptOnlySelfSignedServerCertificate = true
            }
        }
    }

    /// With what a replication stops; `nil` where it goes through.
    private static let table: [(mode: Mode, codes: [Shown: Int?])] = [
        (.system, Dictionary(uniqueKeysWithValues: Shown.allCases.map { ($0, 5011) })),
        (
            .authority,
            [
                .rightOne: nil, .expired: 5007, .tooNew: 5006, .forAnotherHost: 5015, .ofAStranger: 5011,
                .selfSigned: 5011, .selfSignedExpired: 5011, .selfSignedForAnotherHost: 5011,
            ]
        ),
        (
            .pinned,
            [
                .rightOne: nil, .expired: 5007, .tooNew: 5006, .forAnotherHost: nil, .ofAStranger: nil,
                .selfSigned: nil, .selfSignedExpired: 5007, .selfSignedForAnotherHost: nil,
            ]
        ),
        (
            .pinnedAuthority,
            [
                .rightOne: nil, .expired: 5007, .tooNew: 5006, .forAnotherHost: nil, .ofAStranger: 5008,
                .selfSigned: 5011, .selfSignedExpired: 5011, .selfSignedForAnotherHost: 5011,
            ]
        ),
        // A stock client reports the dates (5007) or the host (5015) of a stranger's certificate in some of these.
        (
            .pinnedStranger,
            [
                .rightOne: 5008, .expired: 5008, .tooNew: 5008, .forAnotherHost: 5008, .ofAStranger: nil,
                .selfSigned: 5011, .selfSignedExpired: 5011, .selfSignedForAnotherHost: 5011,
            ]
        ),
        (
            .selfSignedOnly,
            [
                .rightOne: 5008, .expired: 5008, .tooNew: 5008, .forAnotherHost: 5008, .ofAStranger: 5008,
                .selfSigned: nil, .selfSignedExpired: nil, .selfSignedForAnotherHost: nil,
            ]
        ),
    ]

    @Test(.timeLimit(.minutes(1)), arguments: Shown.allCases)
    func eachModeAcceptsItsOwn(shown: Shown) async throws {
        let certificates = try Certificates(shown)
        let gateway = try await LoopbackGateway.start(
            tls: certificates.shown.serverConfiguration(with: certificates.others))
        for (mode, codes) in Self.table {
            let laptop = try Laptop()
            try laptop.put("\(mode)", #"{"c":"north"}"#)
            var configuration = try laptop.configuration(gateway, secure: true)
            // The second attempt of a continuous replication would be an error.
            configuration.continuous = codes[shown] != .some(nil)
            configuration.maxAttempts = .max
            try certificates.apply(mode, to: &configuration)
            let log = ReplicatorLog(configuration)
            let error = try await log.runToEnd()
            #expect(.some(error?.code) == codes[shown], "\(mode): \(error as Any)")
            #expect(error == nil || error?.domain == CBLError.domain)
            #expect((gateway.body("\(mode)") != nil) == (error == nil), "\(mode)")
            #expect(!log.activities.contains(.offline), "\(mode)")
            if error == nil {
                #expect(log.replicator.serverCertificate == (try Certificate(data: Data(certificates.shown.der))))
            }
            log.close()
        }
        try await gateway.stop()
    }

    /// Nothing of what a replicator wants to say is sent before it knows to whom.
    @Test(.timeLimit(.minutes(1))) func nothingIsSaidToAStranger() async throws {
        let gateway = try await LoopbackGateway.start(tls: Certificates(.selfSigned).shown.serverConfiguration())
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway, secure: true)
        configuration.authenticator = BasicAuthenticator(username: "ann", password: "secret")
        try await ReplicatorLog(configuration).runToEnd()
        #expect(gateway.state.withLock { $0.requests.isEmpty })
        try await gateway.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func aPortOfTheOtherKindIsNoGateway(isSecure: Bool) async throws {
        let tls = try Certificates(.selfSigned).shown.serverConfiguration()
        let gateway = try await LoopbackGateway.start(tls: isSecure ? nil : tls)
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway, secure: isSecure)
        configuration.acceptOnlySelfSignedServerCertificate = true
        let log = ReplicatorLog(configuration)
        let error = try await log.runToEnd()
        #expect(error?.code == (isSecure ? CBLError.tlsHandshakeFailed : CBLError.webSocketAbnormalClose))
        #expect(error?.hint?.contains("wss") == true)
        log.close()
        try await gateway.stop()
    }

    @Test func authoritiesAndOnlySelfSignedContradictEachOther() async throws {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        var configuration = try laptop.configuration(gateway)
        configuration.acceptOnlySelfSignedServerCertificate = true
        configuration.trustedRootCertificates = []
        let error = #expect(throws: ReplicationError.self) { try configuration.validate() }
        #expect(error?.message == "Cannot specify root certs in self signed mode")
        try await gateway.stop()
    }
}
