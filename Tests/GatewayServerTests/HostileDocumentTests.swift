import BLIPProtocol
import DocumentValues
import Foundation
import Testing

@testable import GatewayServer

/// Documents that are made to be read in two ways, to be expensive, or to hurt those who get them.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HostileDocumentTests {
    private static let related = [("Content-Type", "multipart/related; boundary=X")]

    private func related(_ team: TestTeam, _ id: String, _ json: String) async throws -> RawAnswer {
        try await RawClient.request(
            "PUT", "\(TestTeam.collection)/\(id)", port: team.gateway.publicPort,
            headers: [TestTeam.basic("alice")] + Self.related,
            body: Array("--X\r\nContent-Type: application/json\r\n\r\n\(json)\r\n--X--".utf8))
    }

    private func stored(_ team: TestTeam, _ id: String) async throws -> String {
        let answer = try await team.admin("GET", "\(TestTeam.collection)/\(id)")
        return (answer.json?.objectValue ?? [:]).filter { !$0.hasPrefix("_") }.description
    }

    /// What the sync function checked is what everybody reads, whichever of two values a reader takes.
    @Test func aNameThatIsThereTwiceIsStoredOnce() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let bodies = [
                (#"{"type":"admin","channels":["north"],"type":"user"}"#, #"{"type":"user","channels":["north"]}"#),
                (#"{"channels":["south"],"channels":["north"]}"#, #"{"channels":["north"]}"#),
                (
                    #"{"channels":["north"],"s":[{"role":"boss","role":"x"}]}"#,
                    #"{"channels":["north"],"s":[{"role":"x"}]}"#
                ),
                (#"{"channels":["north"],"typ\u0065":"admin","type":"x"}"#, #"{"channels":["north"],"type":"x"}"#),
                (#"{"channels":["north"],"t":"a\ud800b"}"#, "{\"channels\":[\"north\"],\"t\":\"a\u{FFFD}b\"}"),
            ]
            let client = try await HostileSync(gateway, user: "alice")
            for (index, (body, expected)) in bodies.enumerated() {
                let pushed = try await client.ask(
                    "rev", ["collection": "0", "id": "push\(index)", "rev": "1-abc"], bytes: Array(body.utf8))
                #expect(pushed.status == 200)
                #expect(try await stored(team, "push\(index)") == expected)
                #expect(try await related(team, "related\(index)", body).status == 201)
                #expect(try await stored(team, "related\(index)") == expected)
                // As the bytes lie there: a reader of the answer might have settled them.
                let put = try await RawClient.request(
                    "PUT", "\(TestTeam.collection)/put\(index)", port: gateway.publicPort,
                    headers: [TestTeam.basic("alice"), ("Content-Type", "application/json")], body: Array(body.utf8))
                #expect(put.status == 201)
                for way in ["push", "related", "put"] {
                    let raw = try await team.admin("GET", "\(TestTeam.collection)/\(way)\(index)").text
                    #expect(raw.ranges(of: "\"channels\"").count == 1 && !raw.contains(#"\u"#), "\(raw)")
                }
            }
            let local = "\(TestTeam.collection)/_local/x"
            let put = try await RawClient.request(
                "PUT", local, port: gateway.publicPort,
                headers: [TestTeam.basic("alice"), ("Content-Type", "application/json")],
                body: Array(#"{"a":1,"a":2}"#.utf8))
            #expect(put.status == 201)
            #expect(try await team.user("alice", "GET", local).text.contains(#""a":2"#))
        }
    }

    private static func numbers(_ count: Int) -> String {
        #"{"channels":["north"],"n":["# + Array(repeating: "1", count: count).joined(separator: ",") + "]}"
    }

    /// Each way in refuses what others would wait for, and says why; what a document may have is taken.
    @Test func aDocumentOfTooManyValuesIsRefused() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            // The three others are the members and the channel.
            let (most, tooMany) = (Self.numbers(199_997), Self.numbers(199_998))
            func ask(_ method: String, _ path: String, _ body: String) async throws -> RawAnswer {
                try await RawClient.request(
                    method, "\(TestTeam.collection)/\(path)", port: gateway.publicPort,
                    headers: [TestTeam.basic("alice"), ("Content-Type", "application/json")], body: Array(body.utf8))
            }
            let reason = "Document has more than 200000 members and elements"
            for (method, path) in [("PUT", "d"), ("POST", "")] {
                let answer = try await ask(method, path, tooMany)
                #expect(answer.status == 413 && answer.text.contains(reason), "\(method): \(answer.text)")
            }
            #expect(try await related(team, "m", tooMany).status == 413)
            let bulk = try await ask("POST", "_bulk_docs", #"{"docs":[{"channels":["north"]},\#(tooMany)]}"#)
            #expect(bulk.status == 201)
            #expect(bulk.json?[0]?["rev"] != nil && bulk.json?[1]?["status"] == 413, "\(bulk.text)")
            let client = try await HostileSync(gateway, user: "alice")
            func push(_ text: String) async throws -> HostileSync.Answer {
                try await client.ask(
                    "rev", ["collection": "0", "id": "pushed", "rev": "1-abc"], bytes: Array(text.utf8))
            }
            let pushed = try await push(tooMany)
            #expect(pushed.status == 413 && pushed.text.contains(reason))
            let listed = try await team.admin("GET", "/db/_refusals").json?["refusals"]?.arrayValue ?? []
            for document in ["d", "m", "pushed"] {
                let refused = listed.first { $0["document"]?.stringValue == document }
                #expect(refused?["user"] == "alice" && refused?["collection"] == "field.inspections", "\(document)")
            }
            #expect(try await push(most).status == 200)
            #expect(try await ask("PUT", "e", most).status == 201)
        }
    }

    /// Bodies that are no documents have a limit of their own, since they are read at once.
    @Test func aBodyOfTooManyValuesIsRefused() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let text = #"{"docs":["# + Array(repeating: "{},1", count: 500_001).joined(separator: ",") + "]}"
            for path in ["_bulk_docs", "_bulk_get", "_revs_diff", "_changes"] {
                let answer = try await RawClient.request(
                    "POST", "\(TestTeam.collection)/\(path)", port: gateway.publicPort,
                    headers: [
                        TestTeam.basic("alice"), ("Content-Type", "application/json"), ("Accept", "multipart/mixed"),
                    ],
                    body: Array(text.utf8))
                #expect(answer.status == 413 && answer.text.contains("1000000 members"), "\(path): \(answer.text)")
            }
            let client = try await HostileSync(gateway, user: "alice")
            let changes = Array(("[" + Array(repeating: "1", count: 200_001).joined(separator: ",") + "]").utf8)
            #expect(try await client.ask("changes", ["collection": "0"], bytes: changes).status == 413)
            #expect(try await team.user("alice", "GET", TestTeam.collection + "/_all_docs").status == 200)
        }
    }

    @Test func attachmentsAreCountedBeforeAnythingElse() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let members = (0..<5_001).map { #""a\#($0)":{"follows":true}"# }.joined(separator: ",")
            let answer = try await related(team, "m", #"{"channels":["north"],"_attachments":{\#(members)}}"#)
            #expect(answer.status == 413)
            #expect(answer.text.contains("5000"))
            let parts = String(repeating: "\r\n--X\r\n\r\n", count: 5_003)
            #expect(try await related(team, "p", "{}" + parts).status == 413)
            let few = try await related(team, "f", #"{"channels":["north"],"_attachments":{"a":{"follows":true}}}"#)
            #expect(few.status == 400)
        }
    }

    /// Whatever a client says of their lengths: it can name the same bytes thousands of times.
    @Test func attachmentsCountAsWhatTheyAre() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let data: JSONValue = .string(Base64.encode([UInt8](repeating: 122, count: 4 << 20)))
            let document: JSONValue = ["channels": ["north"], "_attachments": ["a": ["data": data]]]
            let path = "\(TestTeam.collection)/many"
            let made = try await team.user("alice", "PUT", path, document)
            try team.expect(201, made)
            let shown = try await team.user("alice", "GET", path)
            let digest = try #require(shown.json?["_attachments"]?["a"]?["digest"])
            var attachments = JSONObject()
            let count = GatewayServerLimits.attachmentsOfAnswer / (4 << 20) + 1
            for number in 0..<count {
                attachments["b\(number)"] = ["stub": true, "digest": digest, "length": 1, "revpos": 1]
            }
            let next: JSONValue = [
                "_rev": shown.json?["_rev"] ?? .null, "channels": ["north"], "_attachments": .object(attachments),
            ]
            try team.expect(201, try await team.user("alice", "PUT", path, next))
            for query in ["attachments=true", "attachments=true&open_revs=all"] {
                let answer = try await team.user(
                    "alice", "GET", "\(path)?\(query)", headers: [("Accept", "application/json")])
                #expect(answer.text.utf8.count < 1 << 20, "\(query): \(answer.status)")
            }
            try team.expect(413, try await team.user("alice", "GET", "\(path)?attachments=true"))
            #expect(try await team.user("alice", "GET", "\(path)/b7").status == 200)
        }
    }

    /// What somebody chose as an id, a name or a type makes no header of its own in what others get.
    @Test func nothingForgesAHeader() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let id = "x\r\nX-Rev-Id: 9-forged\r\n\r\n--E"
            let data: JSONValue = .string(Base64.encode([UInt8](repeating: 122, count: 300)))
            let attachments: JSONValue = [
                "f\"\r\nX-Name: evil": ["data": data, "content_type": "text/plain\r\nX-Type: evil"]
            ]
            let document: JSONValue = ["_id": .string(id), "channels": ["north"], "_attachments": attachments]
            try team.expect(
                201, try await team.user("alice", "POST", "\(TestTeam.collection)/_bulk_docs", ["docs": [document]]))
            let wanted: JSONValue = ["docs": [["id": .string(id)]]]
            let bulk = try await team.user(
                "alice", "POST", "\(TestTeam.collection)/_bulk_get?attachments=true", wanted,
                headers: [("Accept", "multipart/*")])
            let path = "x%0D%0AX-Rev-Id:%209-forged%0D%0A%0D%0A--E"
            let open = try await team.user(
                "alice", "GET", "\(TestTeam.collection)/\(path)?open_revs=all&attachments=true",
                headers: [("Accept", "multipart/*")])
            for answer in [bulk, open] {
                #expect(answer.status == 200)
                for line in ["\r\nX-Rev-Id: 9-forged", "\r\nX-Name: evil", "\r\nX-Type: evil", "\r\n--E"] {
                    #expect(!answer.text.utf8.contains(line.utf8), "\(line)")
                }
                #expect(answer.text.utf8.contains("filename=\"f%22%0D%0AX-Name: evil\"".utf8))
                #expect(answer.text.utf8.contains("Content-Type: text/plain%0D%0AX-Type: evil".utf8))
            }
        }
    }

    @Test func longRevisionIDsAreNotTakenIn() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let client = try await HostileSync(gateway, user: "alice")
            for (length, status) in [(128, 201), (129, 400), (90_000, 400)] {
                let digest = String(repeating: "a", count: length)
                for ids in [[digest, "b"], ["b", digest]] {
                    let document: JSONValue = [
                        "_id": .string("d\(length)\(ids[0].count)"), "channels": ["north"],
                        "_revisions": ["start": 2, "ids": .array(ids.map { .string($0) })],
                        "_rev": .string("2-\(ids[0])"),
                    ]
                    let answer = try await team.user(
                        "alice", "POST", "\(TestTeam.collection)/_bulk_docs", ["new_edits": false, "docs": [document]])
                    #expect((answer.json?[0]?["status"]?.integerValue ?? 201) == Int64(status), "\(answer.text)")
                    if status == 400 { #expect(answer.text.contains("128")) }
                    let pushed = try await client.push(
                        "p\(length)\(ids[0].count)", "2-\(ids[0])", history: "1-\(ids[1])", ["channels": ["north"]])
                    #expect(pushed.status == (status == 201 ? 200 : 400))
                }
            }
        }
    }

    /// A child needs a higher generation.
    @Test func aRevisionLeavesRoomForLaterOnes() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let client = try await HostileSync(gateway, user: "alice")
            let document: JSONValue = ["_id": "d", "channels": ["north"], "_rev": "4294967295-aa"]
            let answer = try await team.user(
                "alice", "POST", "\(TestTeam.collection)/_bulk_docs", ["new_edits": false, "docs": [document]])
            #expect(answer.json?[0]?["status"]?.integerValue == 400 && answer.text.contains("leaves no room"))
            let put = try await team.user(
                "alice", "PUT", "\(TestTeam.collection)/d?new_edits=false", document)
            #expect(put.status == 400 && put.text.contains("leaves no room"))
            let pushed = try await client.push("d", "4294967295-aa", history: "", ["channels": ["north"]])
            #expect(pushed.status == 400 && pushed.text.contains("leaves no room"))
            let written = try await team.user("alice", "PUT", "\(TestTeam.collection)/d", ["channels": ["north"]])
            #expect(written.status == 201)
        }
    }
}
