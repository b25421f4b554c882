import Foundation
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

    @Test func aNewValueReplacesTheOld() throws {
        let jar = try jar("a=1; Path=/")
        jar.store(
            setCookieHeaders: ["a=2; Path=/"], from: try #require(URL(string: "wss://sync.example.com/db")),
            acceptsParentDomain: false)
        #expect(try sent(jar, to: "wss://sync.example.com/db") == ["a=2"])
    }
}
