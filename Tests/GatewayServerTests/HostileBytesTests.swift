import DocumentValues
import Foundation
import SeededRandom
import Testing

/// Requests that are not HTTP, not JSON, too large, too slow or never finished.
@Suite(.serialized) struct HostileBytesTests {
    @Test(.timeLimit(.minutes(2))) func brokenRequestsAreAnsweredOrDropped() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let long = String(repeating: "x", count: 200_000)
            let requests = [
                "\r\n\r\n\r\n", "GARBAGE\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                "\u{16}\u{3}\u{1}\u{2}\u{0}",
                "GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n", "GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "POST /db/ HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /db/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n: empty\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nA\u{0}B: c\r\n\r\n",
                "GET /_blipsync HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
                "GET /db/_blipsync HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Protocol: BLIP_3+CBMobile_3\r\n\r\n",
            ]
            for request in requests {
                let answer = try? await RawClient.exchange(Array(request.utf8), port: gateway.publicPort, limit: 3)
                #expect(
                    answer.map { $0.status < 500 || $0.status == 505 } ?? true, "\(request.prefix(80).debugDescription)"
                )
                #expect(answer?.status != 101)
            }
            #expect(try await team.user("alice", "GET", "/db/").status == 200)
        }
    }

    @Test(.timeLimit(.minutes(2))) func whatIsTooLargeIsRefused() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/big"
            let bomb = try await bomb(team)
            #expect(bomb.count < 1 << 20)
            let zipped = try await RawClient.request(
                "PUT", path, port: gateway.publicPort,
                headers: [TestTeam.basic("alice"), ("Content-Encoding", "gzip")], body: bomb)
            #expect(zipped.status == 413)
            let attachment = try await RawClient.request(
                "PUT", path + "/a", port: gateway.publicPort, headers: [TestTeam.basic("alice")],
                body: [UInt8](repeating: 0, count: (20 << 20) + 1))
            #expect(attachment.status == 413)
            let chunk = "100000\r\n" + String(repeating: "x", count: 0x100000) + "\r\n"
            let head = "PUT \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: \(TestTeam.basic("alice").1)\r\n"
            let chunked = try await RawClient.exchange(
                Array((head + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 30)).utf8),
                port: gateway.publicPort)
            #expect(chunked.status == 413)
            #expect(try await team.user("alice", "GET", path).status == 404)
        }
    }

    /// A few kilobytes that inflate to more than a document may have: a list of large documents, as the gateway itself
    /// compresses it.
    private func bomb(_ team: TestTeam) async throws -> [UInt8] {
        for id in ["one", "two"] {
            let text = String(repeating: "x", count: 12 << 20)
            try team.expect(201, try await team.admin("PUT", "/db.field.sites/\(id)", ["x": .string(text)]))
        }
        return try await RawClient.request(
            "GET", "/db.field.sites/_all_docs?include_docs=true", port: team.gateway.adminPort,
            headers: [("Accept-Encoding", "gzip")]
        ).body
    }

    @Test(.timeLimit(.minutes(2))) func silentClientsHoldNobodyUp() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            var silent: [RawSocket] = []
            for index in 0..<300 {
                let socket = try RawSocket(port: gateway.publicPort)
                if index % 3 == 1 { try socket.send(Array("GET /db/ HT".utf8)) }
                if index % 3 == 2 { try socket.send(Array("PUT /db.field.inspections/x HTTP/1.1\r\nHost: a\r\n".utf8)) }
                silent.append(socket)
            }
            let start = ContinuousClock.now
            #expect(try await team.user("alice", "GET", "/db/").status == 200)
            #expect(start.duration(to: .now) < .seconds(5))
            #expect(silent.count == 300)
        }
    }

    /// Who closes the half that he sends on gets his answer if he asked, and is let go if he stopped in the middle.
    @Test(.timeLimit(.minutes(2)), arguments: ["whole", "half", "upgrade"])
    func halfClosedClientsAreAnsweredOrLetGo(request: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let login = "Authorization: \(TestTeam.basic("alice").1)\r\n"
            let text =
                switch request {
                case "whole": "GET /db/ HTTP/1.1\r\nHost: a\r\n\(login)\r\n"
                case "half":
                    "PUT \(TestTeam.collection)/x HTTP/1.1\r\nHost: a\r\n\(login)Content-Length: 50\r\n\r\n{\"a\""
                default:
                    "GET /db/_blipsync HTTP/1.1\r\nHost: a\r\n\(login)Connection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Protocol: BLIP_3+CBMobile_3\r\n\r\n"
                }
            let statuses = try await RawClient.onSocket(port: gateway.publicPort, limit: 20) { socket -> [Int] in
                try socket.send(Array(text.utf8))
                socket.halfClose()
                var statuses: [Int] = []
                while let line = try socket.read(to: "\r\n") {
                    if line.hasPrefix("HTTP/1.1 ") { statuses.append(Int(line.dropFirst(9).prefix(3)) ?? 0) }
                }
                return statuses
            }
            switch request {
            case "whole": #expect(statuses == [200])
            case "half": #expect(statuses == [] || statuses == [400], "\(statuses)")
            default: #expect(statuses == [] || statuses == [101])
            }
            #expect(try await team.user("alice", "GET", "\(TestTeam.collection)/x").status == 404)
        }
    }

    @Test(.timeLimit(.minutes(3))) func wrongTypesAreTheClientsFault() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let values: [JSONValue] = [
                5, "x", [], [:], nil, true, [[[]]], [1, "a", nil], -1.5, ["docs": 5], ["docs": [5]], ["docs": [:]],
                ["docs": [["_id": 5, "_rev": [], "_deleted": "x", "_attachments": 3]]], ["keys": 5],
                ["keys": [5, nil]],
                ["since": [], "limit": "x", "feed": 3, "filter": 5, "doc_ids": 7, "channels": 4, "timeout": "x"],
                ["name": 5, "password": []], ["a": 5], ["a": [5, "9-z", ""]], ["_rev": 7, "_exp": [], "_revisions": 4],
                ["docs": [["id": 5, "rev": [], "atts_since": "x"]]], ["new_edits": 5, "docs": [["_revisions": 3]]],
                ["_attachments": ["x": 5]], ["_attachments": ["x": ["data": 5]]], ["_attachments": ["": ["data": ""]]],
            ]
            let paths = [
                ("PUT", "/d"), ("POST", "/"), ("POST", "/_bulk_docs"), ("POST", "/_bulk_get"), ("POST", "/_revs_diff"),
                ("POST", "/_all_docs"), ("POST", "/_changes"), ("PUT", "/_local/x"), ("PUT", "/d/a"),
            ]
            for (method, path) in paths {
                for value in values {
                    let answer = try await team.user("alice", method, TestTeam.collection + path, value)
                    #expect(answer.status < 500, "\(method) \(path) \(value): \(answer.status) \(answer.text)")
                }
            }
            for path in ["/db/_user/u", "/db/_role/r", "/db/_config", "/new/", "/db/_session"] {
                for value in values {
                    let answer = try await team.admin(path.hasSuffix("_session") ? "POST" : "PUT", path, value)
                    #expect(answer.status < 500, "\(path) \(value): \(answer.status) \(answer.text)")
                    // What was accepted may have changed the database.
                    if path == "/new/", answer.status == 201 { _ = try await team.admin("DELETE", "/new/") }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(3)), arguments: 0..<4)
    func randomPathsNeverBreakTheGateway(seed: Int) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            _ = try await team.storeSecret()
            var generator = SeededGenerator(seed: UInt64(seed))
            let components = [
                "db", "db.field.inspections", "db.field.sites", "_changes", "_all_docs", "_bulk_get", "_local",
                "secret",
                "plan.txt", "_session", "_user", "_blipsync", "%00", "%ff", "..", "", "a%2Fb", "_config", "x", "_purge",
            ]
            let queries = [
                "", "?since=1:2:3", "?limit=-1", "?rev=1-x", "?open_revs=all", "?open_revs=%5B5%5D", "?revs=true",
                "?attachments=true&atts_since=5", "?keys=%5B1%5D", "?startkey=%22", "?feed=normal&timeout=1", "?&&==",
                "?since=%22", "?filter=_doc_ids&doc_ids=x", "?new_edits=false", "?limit=99999999999999999999",
            ]
            let methods = ["GET", "PUT", "POST", "DELETE", "HEAD", "OPTIONS", "PATCH"]
            for _ in 0..<250 {
                let count = Int.random(in: 0...4, using: &generator)
                let path = (0..<count).map { _ in components.randomElement(using: &generator)! }.joined(separator: "/")
                let query = queries.randomElement(using: &generator)!
                let method = methods.randomElement(using: &generator)!
                let body: JSONValue? = Bool.random(using: &generator) ? ["a": 1] : nil
                let answer = try await team.user("alice", method, "/\(path)\(query)", body)
                #expect(
                    answer.status < 500 || path.contains("_blipsync"),
                    "seed \(seed): \(method) /\(path)\(query): \(answer.status) \(answer.text)")
                #expect(!answer.text.contains("TOPSECRET"))
            }
        }
    }
}
