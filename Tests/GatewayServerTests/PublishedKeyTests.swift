import DocumentValues
import Foundation
import Logging
import NIOCore
import Testing

@testable import GatewayCore

/// Tokens whose keys the issuer publishes. The gateway itself is the publisher, with a document that anybody may read.
@Suite(.serialized) struct PublishedKeyTests {
    private static func publish(_ keys: [JSONValue], _ team: TestTeam) async throws -> String {
        if try await team.admin("GET", "/keys/").status == 404 {
            let guest: JSONValue = ["disabled": false, "admin_channels": ["*"]]
            try team.expect(201, try await team.admin("PUT", "/keys/", ["guest": guest]))
        }
        let revision = try await team.admin("GET", "/keys/set").json?["_rev"]
        var body: JSONObject = ["keys": .array(keys)]
        if let revision { body["_rev"] = revision }
        try team.expect(201, try await team.admin("PUT", "/keys/set", .object(body)))
        return "http://127.0.0.1:\(team.gateway.publicPort)/keys/set"
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func aTokenOfAPublishedKeyOpensAnAccount(namesAlgorithm: Bool) async throws {
        try await TestGateway.run { gateway in
            let (team, issuer) = (try await TestTeam(gateway), Issuer())
            var key = issuer.jwk.objectValue ?? [:]
            // Some issuers leave it out.
            if !namesAlgorithm { key["alg"] = nil }
            let address = try await Self.publish([.object(key)], team)
            try team.expect(
                201,
                try await team.admin(
                    "POST", "/db/_config", issuer.configuration(["keys": nil, "jwks_uri": .string(address)])))
            func status(_ token: String) async throws -> Int {
                try await RawClient.request(
                    "GET", "/db/", port: gateway.publicPort, headers: [("Authorization", "Bearer \(token)")]
                ).status
            }
            #expect(try await status(issuer.token(Issuer.claims())) == 200)
            #expect(try await status(Issuer().token(Issuer.claims())) == 401)
            #expect(try await status(issuer.token(Issuer.claims(), header: ["alg": "ES256", "kid": "two"])) == 401)
            #expect(try await status(issuer.token(Issuer.claims(), header: ["alg": "HS256", "kid": "one"])) == 401)
        }
    }

    @Test func noMoreIsReadThanAKeySetMayHave() async throws {
        let (parts, source) = AsyncStream.makeStream(of: ByteBuffer.self)
        for _ in 1...400 { source.yield(ByteBuffer(repeating: 7, count: GatewayLimits.keySetSize / 4)) }
        source.finish()
        await #expect { try await KeySetDownload.bytes(in: parts) } throws: { "\($0)".contains("more than") }
        #expect(await parts.reduce(0) { count, _ in count + 1 } == 395)
    }

    @Test(arguments: [
        ("http://keys.example.org/other", "http://keys.example.org/other"),
        ("other", "http://keys.example.org/a/other"),
        ("/other", "http://keys.example.org/other"), ("http://other.example.org/keys", nil),
        ("https://keys.example.org/keys", nil), ("http://keys.example.org:8080/keys", nil),
        ("//other.example.org/keys", nil), ("", nil),
    ])
    func redirectsStayWithinTheHost(location: String, target: String?) throws {
        let url = try #require(URL(string: "http://keys.example.org/a/keys"))
        if let target {
            #expect(try KeySetDownload.target(of: location, from: url).absoluteString == target)
        } else {
            #expect(throws: GatewayError.self) { try KeySetDownload.target(of: location, from: url) }
        }
    }

    /// An answer is read as far as a key set may be long.
    @Test(.timeLimit(.minutes(1))) func whatIsNoKeySetIsGivenUp() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let address = try await Self.publish([Issuer().jwk], team)
            let good = try #require(URL(string: address))
            #expect(try await KeySetDownload.bytes(of: good).count > 100)
            let long: JSONObject = ["x": .string(String(repeating: "y", count: 8 << 20))]
            try team.expect(201, try await team.admin("PUT", "/keys/long", .object(long)))
            let large = try #require(URL(string: address.replacing("set", with: "long")))
            await #expect { try await KeySetDownload.bytes(of: large) } throws: { "\($0)".contains("more than") }
            let missing = try #require(URL(string: address.replacing("set", with: "none")))
            await #expect { try await KeySetDownload.bytes(of: missing) } throws: { "\($0)".contains("404") }
        }
    }

    /// A sign-in waits for it: what begins and does not end is given up, too.
    @Test(.timeLimit(.minutes(1))) func aKeySetThatDoesNotEndIsGivenUp() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let address = try await Self.publish([Issuer().jwk], team)
            let endless = address.replacing("set", with: "_changes?feed=continuous&heartbeat=25000")
            let url = try #require(URL(string: endless))
            await #expect {
                try await KeySetDownload.bytes(of: url, within: .milliseconds(300))
            } throws: {
                "\($0)".contains("did not come within")
            }
        }
    }

    /// Those who sign in while the keys are fetched wait for them.
    @Test(.timeLimit(.minutes(1))) func whoComesDuringTheFirstFetchWaitsForIt() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let keys = try #require(RemoteKeys(try await Self.publish([Issuer().jwk], team)))
            let header: JSONObject = ["alg": "ES256", "kid": "one"]
            let token = try #require(SignedToken(try Issuer().token(Issuer.claims(), header: header)))
            let found = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { await keys.keys(for: token, now: 100, logger: Logger(label: "test")).count }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(found == Array(repeating: 1, count: 20))
        }
    }

    /// A key that is new there is found, though not by asking for every token that comes.
    @Test(.timeLimit(.minutes(1))) func keysAreFetchedAgainWhenOneIsMissing() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let logger = Logger(label: "test")
            var two = Issuer().jwk.objectValue ?? [:]
            two["kid"] = "two"
            var accented = Issuer().jwk.objectValue ?? [:]
            accented["kid"] = "\u{E9}"
            let address = try await Self.publish([Issuer().jwk, .object(accented)], team)
            let keys = try #require(RemoteKeys(address))
            func found(_ name: String, at now: Int64) async throws -> Int {
                let header: JSONObject = ["alg": "ES256", "kid": .string(name)]
                let token = try #require(SignedToken(try Issuer().token(Issuer.claims(), header: header)))
                return await keys.keys(for: token, now: now, logger: logger).count
            }
            #expect(try await found("one", at: 100) == 1)
            #expect(try await found("\u{E9}", at: 101) == 1)
            #expect(try await found("e\u{301}", at: 101) == 0)
            _ = try await Self.publish([Issuer().jwk, .object(two)], team)
            #expect(try await found("two", at: 101) == 0)
            #expect(try await found("two", at: 100 + GatewayLimits.keySetInterval) == 1)
            #expect(try await found("one", at: 200) == 1)
            // An issuer that is gone leaves the keys that are known.
            try team.expect(200, try await team.admin("DELETE", "/keys/"))
            #expect(try await found("three", at: 300) == 0)
            #expect(try await found("two", at: 301) == 1)
        }
    }

    /// The last attempt seems to be to come then.
    @Test(.timeLimit(.minutes(1))) func keysAreFetchedThoughTheClockWasSetBack() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            var two = Issuer().jwk.objectValue ?? [:]
            two["kid"] = "two"
            let keys = try #require(RemoteKeys(try await Self.publish([Issuer().jwk], team)))
            func found(_ name: String, at now: Int64) async throws -> Int {
                let header: JSONObject = ["alg": "ES256", "kid": .string(name)]
                let token = try #require(SignedToken(try Issuer().token(Issuer.claims(), header: header)))
                return await keys.keys(for: token, now: now, logger: Logger(label: "test")).count
            }
            #expect(try await found("one", at: 10_000) == 1)
            _ = try await Self.publish([Issuer().jwk, .object(two)], team)
            #expect(try await found("two", at: 6_400) == 1)
        }
    }
}
