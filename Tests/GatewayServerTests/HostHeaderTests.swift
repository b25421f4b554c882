import NIOHTTP1
import Testing

@testable import GatewayServer

/// What a request says of the host that it is for, read strictly.
@Suite struct HostHeaderTests {
    @Test(arguments: [
        ("localhost", "localhost"), ("LocalHost:4985", "localhost"), ("127.0.0.1", "127.0.0.1"),
        ("10.1.2.3:4985", "10.1.2.3"), ("[::1]", "::1"), ("[::1]:4985", "::1"), ("[FE80::1]", "fe80::1"),
        ("gateway.example.org:1", "gateway.example.org"),
    ])
    func aNameAndAPortAreRead(host: String, name: String) { #expect(HostHeader.name(in: host) == name) }

    @Test(arguments: [
        "", " ", "127.0.0.1:80@evil.example", "a@127.0.0.1", "[evil.example]", "[127.0.0.1]", "[::1", "[::1]x",
        "[::1]:",
        "::1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:123456", "127.0.0.1:80:80", "1.2.3.400", "127.1", "2130706433",
        "evil.example/127.0.0.1", "127.0.0.1#evil.example", "a b", "127.0.0.1,evil.example", "１２７.0.0.1",
    ])
    func whatIsNeitherNameNorAddressIsNone(host: String) { #expect(HostHeader.name(in: host) == nil) }

    @Test(
        arguments: [
            ("/a", HTTPVersion.http1_1, ["h"], ["h"]), ("/a", .http1_1, [], [""]), ("/a", .http1_0, [], []),
            ("/a", .http1_1, ["h", "i"], ["h", "i"]), ("http://h/a", .http1_1, ["h"], ["h"]),
            ("http://H/a", .http1_1, ["h"], ["h"]), ("http://i/a", .http1_1, ["h"], ["h", "i"]),
            ("https://i:1?a", .http1_1, ["h"], ["h", "i:1"]), ("http://a@h/", .http1_1, ["h"], ["h", "a@h"]),
            ("http://i", .http1_0, [], ["i"]), ("/a?b=http://i/", .http1_1, ["h"], ["h"]),
            ("*", .http1_1, ["h"], ["h"]),
            ("/a:b//c", .http1_1, ["h"], ["h"]),
        ] as [(String, HTTPVersion, [String], [String])])
    func allHostsOfARequestAreKnown(target: String, version: HTTPVersion, given: [String], expected: [String]) {
        let headers = HTTPHeaders(given.map { ("Host", $0) })
        var head = HTTPRequestHead(version: version, method: .GET, uri: target, headers: headers)
        HostHeader.complete(&head)
        #expect(head.headers["host"] == expected)
    }
}
