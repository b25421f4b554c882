import DocumentStore
import Foundation
import NIOHTTP1
import Synchronization
import Testing

@testable import Replication

@Suite struct CookieTests {
    private func jar(_ header: String, from: String = "wss://sync.example.com/db", parents: Bool = false) throws
        -> CookieJar
    {
        let jar = CookieJar()
        jar.store(
            setCookieHeaders: [header], from: try #require(URL(string: from)), acceptsParentDomain: parents)
        return jar
    }

    private func sent(_ jar: CookieJar, to url: String) throws -> [String] {
        jar.pairs(for: try #require(URL(string: url))).map { "\($0.name)=\($0.value)" }
    }

    @Test func aSessionIsSentBackToItsDatabase() throws {
        let jar = try jar("SyncGatewaySession=abc; Path=/db; Expires=Fri, 31 Dec 2099 23:59:59 GMT")
        #expect(try sent(jar, to: "wss://sync.example.com/db") == ["SyncGatewaySession=abc"])
        #expect(try sent(jar, to: "wss://sync.example.com/db/_blipsync") == ["SyncGatewaySession=abc"])
        #expect(try sent(jar, to: "wss://sync.example.com/dbx") == [])
        #expect(try sent(jar, to: "wss://other.example.com/db") == [])
    }

    /// Of what a gateway sets only that which opens nothing is there for the next process.
    @Test func theDeviceCookieOutlivesTheProcess() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookies-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = DatabaseConfiguration()
        settings.directory = folder.path
        let database = try Database(name: "db", config: settings)
        let endpoint = URLEndpoint(url: try #require(URL(string: "wss://sync.example.com/db")))
        let store = try ReplicationStore(database: database, remote: "sync")
        let first = try jar("SyncGatewaySession=abc; Path=/db")
        first.store(
            setCookieHeaders: ["FieldbookDevice=1.2; Path=/db; Expires=Fri, 31 Dec 2099 23:59:59 GMT; Secure"],
            from: try #require(URL(string: endpoint.syncAddress)), acceptsParentDomain: false)
        try #require(DeviceCookie(in: first, of: store, for: endpoint)).save()
        let second = CookieJar()
        try #require(DeviceCookie(in: second, of: store, for: endpoint)).load()
        #expect(try sent(second, to: endpoint.syncAddress) == ["FieldbookDevice=1.2"])
        #expect(try sent(second, to: "ws://sync.example.com/db") == [])
        // Then all checkpoints are forgotten.
        _ = try database.createCollection(name: "other")
        try database.deleteCollection(name: "other")
        let later = CookieJar()
        try #require(DeviceCookie(in: later, of: store, for: endpoint)).load()
        #expect(try sent(later, to: endpoint.syncAddress) == ["FieldbookDevice=1.2"])
        let other = URLEndpoint(url: try #require(URL(string: "wss://other.example.com/db")))
        let third = CookieJar()
        try #require(DeviceCookie(in: third, of: store, for: other)).load()
        #expect(try sent(third, to: other.syncAddress) == [])
        try database.close()
    }

    @Test func expiredCookiesAreForgotten() throws {
        #expect(try sent(jar("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"), to: "wss://sync.example.com/db") == [])
        #expect(try sent(jar("a=1; Max-Age=0"), to: "wss://sync.example.com/db") == [])
    }

    @Test func secureCookiesGoOverTLSOnly() throws {
        let jar = try jar("a=1; Secure; Path=/")
        #expect(try sent(jar, to: "ws://sync.example.com/db") == [])
        #expect(try sent(jar, to: "wss://sync.example.com/db") == ["a=1"])
    }

    @Test func aParentDomainIsRefusedUnlessWanted() throws {
        let header = "a=1; Domain=example.com; Path=/"
        #expect(try sent(jar(header), to: "wss://sync.example.com/db") == [])
        #expect(try sent(jar(header, parents: true), to: "wss://other.example.com/db") == ["a=1"])
        #expect(try sent(jar("a=1; Domain=com; Path=/", parents: true), to: "wss://sync.example.com/db") == [])
        #expect(try sent(jar("a=1; Domain=evil.org", parents: true), to: "wss://evil.org/") == [])
    }

    @Test(arguments: ["", "=x", "novalue", ";;;"]) func whatIsNoCookieIsPassedOver(header: String) throws {
        #expect(try sent(jar(header), to: "wss://sync.example.com/db") == [])
    }

    @Test(arguments: ["a=1; ;", "a=1;\t; Path=/db", "a=1;=;=x"])
    func emptyAttributesArePassedOver(header: String) throws {
        #expect(try sent(jar(header), to: "wss://sync.example.com/db") == ["a=1"])
    }

    /// A sign with a mark behind it is one character to Swift, and still the sign.
    @Test(arguments: ["a=1;\u{301} Path=/db; Secure", "a=1; Path=/db;\u{301}; Secure"])
    func attributesEndAtTheByte(header: String) throws {
        #expect(try sent(jar(header), to: "wss://sync.example.com/db") == ["a=1"])
        #expect(try sent(jar(header), to: "ws://sync.example.com/db") == [], "it is for TLS only")
    }

    @Test func pathsAreComparedByTheirBytes() throws {
        let jar = try jar("a=1; Path=/caf\u{E9}")
        #expect(try sent(jar, to: "wss://sync.example.com/caf%C3%A9/x") == ["a=1"])
        #expect(try sent(jar, to: "wss://sync.example.com/cafe%CC%81/x") == [])
        #expect(try sent(jar, to: "wss://sync.example.com/caf%C3%A9x") == [])
    }

    @Test func aNewValueReplacesTheOld() throws {
        let jar = try jar("a=1; Path=/")
        jar.store(
            setCookieHeaders: ["a=2; Path=/"], from: try #require(URL(string: "wss://sync.example.com/db")),
            acceptsParentDomain: false)
        #expect(try sent(jar, to: "wss://sync.example.com/db") == ["a=2"])
    }

    @Test func whatCannotBeSentBackIsNoCookie() throws {
        #expect(try sent(jar("a=\u{1}"), to: "wss://sync.example.com/db") == [])
        #expect(try sent(jar("a b=1"), to: "wss://sync.example.com/db") == [])
    }

    /// A load balancer's 503 and a redirect may set cookies, too.
    @Test(.timeLimit(.minutes(1)), arguments: [503, 307]) func refusalsAndRedirectsSetCookies(status: Int) async throws
    {
        let gateway = try await LoopbackGateway.start()
        let laptop = try Laptop()
        gateway.state.withLock {
            $0.refusals = [.init(statusCode: status)]
            $0.refusalHeaders = [("Set-Cookie", "lb=7; Path=/"), ("Location", "/other/_blipsync")]
        }
        var configuration = try laptop.configuration(gateway)
        configuration.maxAttempts = 2
        configuration.authenticator = SessionAuthenticator(sessionID: "5e3d")
        configuration.headers = ["user-agent": "Tests", "X-Own": "1"]
        let log = ReplicatorLog(configuration, ReplicatorEnvironment(firstWait: 0.005))
        #expect(try await log.runToEnd() == nil)
        let requests = gateway.state.withLock { $0.requests }
        #expect(
            requests.map { $0.headers["Cookie"] } == [["SyncGatewaySession=5e3d"], ["lb=7; SyncGatewaySession=5e3d"]])
        #expect(requests.last?.uri == (status == 307 ? "/other/_blipsync" : "/db/_blipsync"))
        #expect(requests.allSatisfy { $0.headers["User-Agent"] == ["Tests"] && $0.headers["X-Own"] == ["1"] })
        log.close()
        try await gateway.stop()
    }

    @Test func aSessionIsForItsOwnServerOnly() throws {
        let endpoint = URLEndpoint(url: try #require(URL(string: "wss://sync.example.com/db")))
        let cookies = EndpointCookies(
            jar: CookieJar(), endpoint: endpoint, session: SessionAuthenticator(sessionID: "s", cookieName: "c"),
            acceptsParentDomain: false)
        for url in ["wss://sync.example.com:443/db/_blipsync", "wss://SYNC.example.com/x"] {
            #expect(cookies.cookie(for: url) == "c=s", "\(url)")
        }
        for url in ["ws://sync.example.com:443/db", "wss://sync.example.com:4984/db", "wss://evil.example.com/db"] {
            #expect(cookies.cookie(for: url) == nil, "\(url)")
        }
    }

    /// Else the next person, or a guest, would be the one who was signed in before.
    @Test(.timeLimit(.minutes(1))) func aSessionIsForItsUserAndItsDatabaseOnly() async throws {
        let gateway = try await LoopbackGateway.start()
        gateway.state.withLock { $0.responseHeaders = [("Set-Cookie", "SyncGatewaySession=renewed; Path=/db")] }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cookies-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let authenticators: [(any Authenticator)?] = [
            SessionAuthenticator(sessionID: "anns"), nil, BasicAuthenticator(username: "bob", password: "secret"),
        ]
        for _ in 0..<2 {
            let database = try Database.open(folder: folder.path)
            for authenticator in authenticators { try await sync(database, gateway, as: authenticator) }
            try database.delete()
        }
        let sent = gateway.state.withLock { $0.requests.map { $0.headers["Cookie"] } }
        #expect(sent == [["SyncGatewaySession=anns"], [], [], ["SyncGatewaySession=anns"], [], []])
        try await gateway.stop()
    }

    private func sync(
        _ database: Database, _ gateway: LoopbackGateway, as authenticator: (any Authenticator)?
    ) async throws {
        let part = CollectionConfiguration(collection: try database.createCollection(name: "sites", scope: "field"))
        let url = try #require(URL(string: "ws://127.0.0.1:\(gateway.port)/db"))
        var configuration = ReplicatorConfiguration(collections: [part], target: URLEndpoint(url: url))
        configuration.authenticator = authenticator
        configuration.maxAttempts = 1
        try await Replicator(config: configuration).run()
    }
}
