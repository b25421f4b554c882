import BLIPTransport
import DocumentStore
import DocumentValues
import Foundation
import NIOCore
import Testing
import WireSupport

@testable import Replication

@Suite struct ReplicatorConfigurationTests {
    private func configuration(_ laptop: Laptop, _ url: String = "ws://localhost:4984/db") throws
        -> ReplicatorConfiguration
    {
        ReplicatorConfiguration(
            collections: [CollectionConfiguration(collection: laptop.collection)],
            target: URLEndpoint(url: try #require(URL(string: url))))
    }

    private func refusal(_ configuration: ReplicatorConfiguration) -> String? {
        do throws(ReplicationError) {
            try configuration.validate()
            return nil
        } catch {
            return error.message
        }
    }

    @Test func defaultsAreTheReferences() throws {
        var configuration = try configuration(Laptop())
        #expect(configuration.replicatorType == .pushAndPull && !configuration.continuous)
        #expect(configuration.heartbeat == 300 && configuration.maxAttemptWaitTime == 300)
        #expect(configuration.enableAutoPurge && !configuration.acceptOnlySelfSignedServerCertificate)
        #expect(configuration.maxAttempts == 10)
        configuration.continuous = true
        #expect(configuration.maxAttempts == .max)
        configuration.maxAttempts = 3
        configuration.continuous = false
        #expect(configuration.maxAttempts == 3)
        // Not the default, as there.
        configuration.maxAttempts = 0
        #expect(configuration.maxAttempts == 0)
    }

    @Test func valuesThatMakeNoSenseAreRefusedWithTheReferencesMessages() throws {
        let (laptop, other) = (try Laptop(), try Laptop())
        #expect(refusal(try configuration(laptop)) == nil)
        #expect(
            refusal(try configuration(laptop, "ftp://x/db"))
                == "Invalid scheme for URLEndpoint url (ftp://x/db). It must be either 'ws:' or 'wss:'.")
        let embedded = refusal(try configuration(laptop, "wss://ann:secret@x/db"))
        #expect(
            embedded
                == "Embedded credentials in a URL (username:password@url) are not allowed. "
                + "Use the BasicAuthenticator class instead.")
        for address in ["ws:///", "wss:///db", "ws:db"] {
            #expect(refusal(try configuration(laptop, address)) == "The address \(address) has no host.")
        }
        for port in [0, 65_536] {
            #expect(
                refusal(try configuration(laptop, "ws://h:\(port)/db"))
                    == "The port \(port) of the address is not between 1 and 65535.")
        }
        var wrong = try configuration(laptop)
        wrong.collections = []
        #expect(refusal(wrong) == "collections must not be empty.")
        wrong = try configuration(laptop)
        wrong.collections.append(CollectionConfiguration(collection: other.collection))
        #expect(refusal(wrong) == "Collection field.sites belongs to a different database instance.")
    }

    private struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout ReplicatorConfiguration) -> Void

        init(_ message: String, _ change: @escaping @Sendable (inout ReplicatorConfiguration) -> Void) {
            testDescription = message
            self.change = change
        }
    }

    private static let wrong = [
        Wrong("Attempt to store negative value in heartbeat") { $0.heartbeat = -1 },
        Wrong("Attempt to store negative value in heartbeat") { $0.heartbeat = -.infinity },
        Wrong("heartbeat must be a finite number of seconds.") { $0.heartbeat = .infinity },
        Wrong("heartbeat must be a finite number of seconds.") { $0.heartbeat = .nan },
        Wrong("Attempt to store negative value in maxAttemptWaitTime") { $0.maxAttemptWaitTime = -1 },
        Wrong("Attempt to store zero value in maxAttemptWaitTime") { $0.maxAttemptWaitTime = 0 },
        Wrong("maxAttemptWaitTime must be a finite number of seconds.") { $0.maxAttemptWaitTime = .infinity },
        Wrong("The name of the network interface must not be empty.") { $0.networkInterface = "" },
        Wrong("The proxy's host must be a name or an address.") { $0.proxy = ProxySettings(host: "", port: 1) },
        Wrong("The proxy's host must be a name or an address.") { $0.proxy = ProxySettings(host: "a b", port: 1) },
        Wrong("The proxy's port must not be 0.") { $0.proxy = ProxySettings(host: "p", port: 0) },
        Wrong("The proxy's user name must not contain a colon.") {
            $0.proxy = ProxySettings(host: "p", port: 1, username: "a:b", password: "c")
        },
        Wrong("4097 collections are more than the 4096 that one replicator replicates. Use several replicators.") {
            $0.collections = [CollectionConfiguration](repeating: $0.collections[0], count: 4_097)
        },
        Wrong("Collection field.sites is configured twice.") { $0.collections.append($0.collections[0]) },
        Wrong("The name of a channel must not be empty, nor hold a NUL.") { $0.collections[0].channels = ["a", ""] },
        Wrong("The name of a channel must not be empty, nor hold a NUL.") { $0.collections[0].channels = ["a\0b"] },
        Wrong(unsendable("X-A")) { $0.headers = ["X-A": "secret\r\nX-B: 1"] },
        Wrong(unsendable("XA")) { $0.headers = ["X A:": "b"] },
        Wrong(unsendable("")) { $0.headers = ["": "b"] },
        Wrong("The session's id or its cookie's name cannot be sent: it holds a character that ends it.") {
            $0.authenticator = SessionAuthenticator(sessionID: "secret\r\nX-B: 1")
        },
        Wrong("Authenticators of the type Own are not supported.") { $0.authenticator = Own() },
        Wrong("The header 'Sec-WebSocket-Key' is set by the connection itself.") {
            $0.headers = ["Sec-WebSocket-Key": "x"]
        },
        Wrong("The header 'transfer-encoding' is set by the connection itself.") {
            $0.headers = ["transfer-encoding": "chunked"]
        },
    ]

    private struct Own: Authenticator {}

    private static func unsendable(_ name: String) -> String {
        "The header '\(name)' cannot be sent. Names are letters, digits and hyphens; values have no line breaks."
    }

    @Test(arguments: wrong) private func wrongValuesAreKnownWhenTheReplicatorIsMade(_ wrong: Wrong) throws {
        var configuration = try configuration(Laptop())
        wrong.change(&configuration)
        let status = Replicator(config: configuration).status
        #expect((status.error as? ReplicationError)?.message == wrong.testDescription)
        #expect((status.error as? ReplicationError)?.code == CBLError.invalidParameter)
        #expect(status.activity == .stopped)
    }

    @Test func theDefaultsHaveNames() throws {
        let configuration = try configuration(Laptop())
        typealias Defaults = ReplicatorConfiguration
        #expect(configuration.replicatorType == Defaults.defaultType && Defaults.defaultType == .pushAndPull)
        #expect(configuration.continuous == Defaults.defaultContinuous && !Defaults.defaultContinuous)
        #expect(configuration.heartbeat == Defaults.defaultHeartbeat && Defaults.defaultHeartbeat == 300)
        #expect(configuration.maxAttempts == Defaults.defaultMaxAttemptsSingleShot)
        #expect(Defaults.defaultMaxAttemptsSingleShot == 10 && Defaults.defaultMaxAttemptsContinuous == .max)
        #expect(configuration.maxAttemptWaitTime == Defaults.defaultMaxAttemptsWaitTime)
        #expect(configuration.enableAutoPurge == Defaults.defaultEnableAutoPurge && Defaults.defaultEnableAutoPurge)
        #expect(!Defaults.defaultSelfSignedCertificateOnly && !Defaults.defaultAcceptParentDomainCookie)
    }

    @Test func aRefusedValueNamesTheWayOut() throws {
        var configuration = try configuration(Laptop())
        configuration.maxAttemptWaitTime = 0
        let waiting = Replicator(config: configuration).status.error as? ReplicationError
        #expect(waiting?.hint == "Leave it out for the default of 300 seconds.")
        let nowhere = Replicator(config: try self.configuration(Laptop(), "ws:///")).status.error as? ReplicationError
        #expect(nowhere?.description.contains("ws://gateway.example:4984/field") == true)
    }

    @Test func zeroHeartbeatIsTheDefault() throws {
        var configuration = try configuration(Laptop())
        configuration.heartbeat = 0
        #expect(configuration.effectiveHeartbeat == 300 && Replicator(config: configuration).status.error == nil)
    }

    /// Neither 300 million years nor a nanosecond is anything that a clock, or a line, could do.
    @Test(arguments: [
        (1e300, TimeAmount.hours(24 * 365)), (1e18, .hours(24 * 365)), (1e-9, .milliseconds(100)), (0, .seconds(300)),
        (2.5, .milliseconds(2_500)),
    ])
    func heartbeatsAreKeptWithinWhatAClockCanCount(seconds: TimeInterval, expected: TimeAmount) throws {
        var configuration = try configuration(Laptop())
        configuration.heartbeat = seconds
        configuration.maxAttemptWaitTime = max(seconds, 1)
        try configuration.validate()
        let endpoint = try #require(configuration.target as? URLEndpoint)
        #expect(ClientSettings(configuration, endpoint: endpoint, jar: CookieJar()).client.heartbeat == expected)
    }

    /// Loggers and crash reports look into mirrors.
    @Test func secretsAreInNoMirror() {
        let values: [Any] = [
            BasicAuthenticator(username: "ann", password: "secret"), SessionAuthenticator(sessionID: "secret"),
            ProxySettings(host: "proxy", port: 1, username: "ann", password: "secret"),
        ]
        var text = ""
        dump(values, to: &text)
        #expect(text.contains("ann") && text.contains("proxy") && !text.contains("secret"), "\(text)")
    }

    @Test func aProxysPasswordGoesToTheProxyOnly() throws {
        var configuration = try configuration(Laptop())
        configuration.proxy = ProxySettings(host: "proxy.example.com", port: 3128, username: "ann", password: "p:w")
        let endpoint = try #require(configuration.target as? URLEndpoint)
        let client = ClientSettings(configuration, endpoint: endpoint, jar: CookieJar()).client
        #expect(client.proxy?.host == "proxy.example.com" && client.proxy?.port == 3128)
        #expect(client.proxy?.authorization == "Basic " + Data("ann:p:w".utf8).base64EncodedString())
        #expect(client.authorization == nil)
        #expect("\(configuration.proxy as Any)".contains("p:w") == false)
    }

    @Test(arguments: [
        ("ws://h:4984/db", "ws://h:4984/db/_blipsync"), ("wss://h/pre/db/", "wss://h/pre/db/_blipsync"),
        ("ws://h/db?x=1", "ws://h/db/_blipsync?x=1"),
    ])
    func theEndpointIsExtended(url: String, expected: String) throws {
        #expect(URLEndpoint(url: try #require(URL(string: url))).syncAddress == expected)
    }

    @Test func pendingDocumentsNeedAPush() throws {
        let laptop = try Laptop()
        var configuration = try configuration(laptop)
        configuration.replicatorType = .pull
        let replicator = Replicator(config: configuration)
        let error = #expect(throws: ReplicationError.self) {
            try replicator.pendingDocumentIds(collection: laptop.collection)
        }
        #expect(error?.message == "Pending Document IDs are not supported on pull-only replicators.")
    }

    @Test func checkpointsBelongToWhatIsReplicated() {
        let base = CheckpointIdentity(
            databaseUUID: [1], remote: "ws://h/db", collection: .default, pushes: true, pulls: true)
        var others = [base, base, base, base, base, base, base]
        others[1].databaseUUID = [2]
        others[2].remote = "ws://h/other"
        others[3].pushes = false
        others[4].channels = ["a"]
        others[5].documentIDs = ["a"]
        others[6].user = "ann"
        #expect(Set(others.map(\.checkpointID)).count == others.count)
        #expect(base.checkpointID.hasPrefix("cp-") && base.checkpointID.count == 31)
        var (first, second) = (base, base)
        first.channels = ["a", "b"]
        second.channels = ["b", "a"]
        #expect(first.checkpointID == second.checkpointID)
    }

    @Test func certificatesAreReadFromBothForms() throws {
        let certificate = try TestCertificate(name: "gateway")
        let der = try Data(certificate.der)
        let pem = try "text\n\(certificate.pem)\n"
        #expect(try Certificate(data: der).data == der)
        #expect(try Certificate(data: Data(pem.utf8)).data == der)
        for bad in ["", "hello", "-----BEGIN CERTIFICATE-----\n????"] {
            #expect(throws: ReplicationError.self) { try Certificate(data: Data(bad.utf8)) }
        }
    }
}

/// Published examples of older generations, as they are. Called through a protocol they give no warnings, which are
/// errors here.
private protocol OlderSpellings {
    func oldSpellingsMeanTheDefaultCollection() throws
    func collectionsAreAddedAndRemoved() throws
}

@Suite struct OlderSpellingTests {
    private let examples: any OlderSpellings = PublishedExamples()

    @Test func oldSpellingsMeanTheDefaultCollection() throws { try examples.oldSpellingsMeanTheDefaultCollection() }

    @Test func collectionsAreAddedAndRemoved() throws { try examples.collectionsAreAddedAndRemoved() }
}

private struct PublishedExamples: OlderSpellings {
    @available(*, deprecated)
    func oldSpellingsMeanTheDefaultCollection() throws {
        let laptop = try Laptop()
        let url = try #require(URL(string: "ws://localhost:4984/example"))
        var config = ReplicatorConfiguration(database: laptop.database, target: URLEndpoint(url: url))
        config.replicatorType = .pushAndPull
        config.channels = ["a"]
        config.pushFilter = { _, flags in !flags.contains(.deleted) }
        config.conflictResolver = ConflictResolver.default
        #expect(config.collections.map(\.collection.fullName) == ["_default._default"])
        #expect(config.channels == ["a"] && config.collections[0].pushFilter != nil)
        let replicator = Replicator(config: config)
        let token = replicator.addChangeListener { change in
            if let error = change.status.error as NSError? { print("Error code :: \(error.code)") }
        }
        #expect(try replicator.pendingDocumentIds().isEmpty)
        #expect(try !replicator.isDocumentPending("x"))
        try replicator.resetCheckpoint()
        replicator.removeChangeListener(withToken: token)
    }

    @available(*, deprecated)
    func collectionsAreAddedAndRemoved() throws {
        let laptop = try Laptop()
        let url = try #require(URL(string: "ws://localhost:4984/example"))
        var config = ReplicatorConfiguration(target: URLEndpoint(url: url))
        var part = CollectionConfiguration()
        part.documentIDs = ["a"]
        config.addCollection(laptop.collection, config: part)
        config.addCollections([try laptop.database.defaultCollection()])
        #expect(config.collections.count == 2)
        #expect(config.collectionConfig(laptop.collection)?.documentIDs == ["a"])
        config.addCollection(laptop.collection)
        #expect(config.collectionConfig(laptop.collection)?.documentIDs == nil)
        config.removeCollection(laptop.collection)
        #expect(config.collections.map(\.collection.name) == ["_default"])
    }
}
