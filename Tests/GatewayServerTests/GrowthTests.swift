import BLIPProtocol
import BLIPTransport
import DocumentValues
import Foundation
import Testing
import WorkCount

/// No request costs more than in proportion to its size: n, 2n and 4n of everything that a request may have many of.
@Suite(.serialized, .timeLimit(.minutes(10))) struct GrowthTests {
    @Test func theCountTellsASquareFromALine() async throws {
        let square = try await Growth.of(4_000, prepare: { (0..<$0).map { "name\($0)" } }) { names in
            var found = 0
            for name in names where !names.contains(name + "x") { found += 1 }
            #expect(found == names.count)
        }
        #expect(square.isSquare, "\(square)")
        let sorting = try await Growth.of(40_000, prepare: { (0..<$0).map { "name\($0 &* 7_919 % 104_729)" } }) {
            names in
            #expect(names.sorted().count == names.count)
        }
        #expect(!sorting.isSquare, "\(sorting)")
    }

    private struct Case: Sendable {
        let name: String
        let size: Int
        var method = "POST"
        let path: @Sendable (Int) -> String
        var type = "application/json"
        var body: @Sendable (Int) -> String = { _ in "" }
        var headers: [(String, String)] = []
        /// Nobody signs in.
        var isAnonymous = false
    }

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    private static func members(_ count: Int, _ member: (Int) -> String = { "\"k\($0)\":1" }) -> String {
        "{\"channels\":[\"north\"]," + (0..<count).map(member).joined(separator: ",") + "}"
    }

    private static let upgrade = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
    ]

    private static func query(_ count: Int) -> String { (0..<count).map { "a\($0)" }.joined(separator: "&") }

    private static let cases: [Case] = [
        Case(
            name: "a feed on a WebSocket, before the login", size: 2_000, method: "GET",
            path: { "/db.field.inspections/_changes?feed=websocket&\(query($0))" }, headers: upgrade, isAnonymous: true),
        Case(
            name: "a feed on a WebSocket of no database", size: 2_000, method: "GET",
            path: { "/nowhere/_changes?feed=websocket&\(query($0))" }, headers: upgrade, isAnonymous: true),
        Case(
            name: "a query", size: 2_000, method: "GET",
            path: { "/db.field.inspections/_changes?limit=1&\(query($0))" }),
        Case(
            name: "announced attachments", size: 10_000, method: "PUT", path: { _ in "/db.field.inspections/m" },
            type: "multipart/related; boundary=X",
            body: { count in
                let entries = (0..<count).map { "\"a\($0)\":{\"follows\":true}" }.joined(separator: ",")
                return "--X\r\n\r\n{\"_attachments\":{\(entries)}}\r\n--X--"
            }),
        Case(
            name: "parts", size: 1_200, method: "PUT", path: { _ in "/db.field.inspections/m" },
            type: "multipart/related; boundary=X",
            body: { count in
                let entries = (0..<count).map { "\"a\($0)\":{\"follows\":true}" }.joined(separator: ",")
                let parts = (0..<count).map { "\r\n--X\r\n\r\npart\($0)" }.joined()
                return "--X\r\n\r\n{\"_attachments\":{\(entries)}}\(parts)\r\n--X--"
            }),
        Case(
            name: "attachments inside", size: 1_200, method: "PUT",
            path: { "/db.field.inspections/inline\($0)\(UUID())" },
            body: { count in
                let entries = (0..<count).map { "\"a\($0)\":{\"data\":\"aGk=\"}" }.joined(separator: ",")
                return "{\"channels\":[\"north\"],\"_attachments\":{\(entries)}}"
            }),
        Case(
            name: "members", size: 20_000, method: "PUT", path: { "/db.field.inspections/d\($0)\(UUID())" },
            body: { members($0) }),
        Case(
            name: "members in one part", size: 20_000, method: "PUT",
            path: { "/db.field.inspections/d\($0)\(UUID())" }, type: "multipart/related; boundary=X",
            body: { "--X\r\n\r\n\(members($0))\r\n--X--" }),
        Case(
            name: "one name again and again", size: 20_000, method: "PUT",
            path: { "/db.field.inspections/t\($0)\(UUID())" }, type: "multipart/related; boundary=X",
            body: { "--X\r\n\r\n\(members($0) { "\"k\":\($0)" })\r\n--X--" }),
        Case(
            name: "documents", size: 500, path: { _ in "/db.field.inspections/_bulk_docs" },
            body: { "{\"docs\":\(list($0) { _ in "{\"channels\":[\"north\"]}" })}" }),
        Case(
            name: "documents of one id", size: 100, path: { _ in "/db.field.inspections/_bulk_docs" },
            body: { "{\"docs\":\(list($0) { _ in "{\"_id\":\"same\",\"channels\":[\"north\"]}" })}" }),
        Case(
            name: "ancestors", size: 10_000, path: { _ in "/db.field.inspections/_bulk_docs" },
            body: { count in
                let ids = list(count) { "\"a\($0)\"" }
                return "{\"new_edits\":false,\"docs\":[{\"_id\":\"\(UUID())\",\"_rev\":\"\(count)-a0\","
                    + "\"_revisions\":{\"start\":\(count),\"ids\":\(ids)},\"channels\":[\"north\"]}]}"
            }),
        Case(
            name: "revisions to compare", size: 5_000, path: { _ in "/db.field.inspections/_revs_diff" },
            body: { "{\"doc\":\(list($0) { "\"\($0 + 1)-a\"" })}" }),
        Case(
            name: "documents to get", size: 2_000, path: { _ in "/db.field.inspections/_bulk_get" },
            body: { "{\"docs\":\(list($0) { "{\"id\":\"d\($0)\"}" })}" }),
        Case(
            name: "revisions whose attachments are known", size: 10_000,
            path: { _ in "/db.field.inspections/_bulk_get" },
            body: { "{\"docs\":[{\"id\":\"doc\",\"atts_since\":\(list($0) { "\"\($0 + 1)-a\"" })}]}" }),
        Case(
            name: "keys", size: 5_000, path: { _ in "/db.field.inspections/_all_docs" },
            body: { "{\"keys\":\(list($0) { "\"d\($0)\"" })}" }),
        Case(
            name: "ids of a feed", size: 5_000, path: { _ in "/db.field.inspections/_changes" },
            body: { "{\"filter\":\"_doc_ids\",\"doc_ids\":\(list($0) { "\"d\($0)\"" })}" }),
        Case(
            name: "channels of a feed", size: 10_000, path: { _ in "/db.field.inspections/_changes" },
            body: { count in
                let names = (0..<count).map { "c\($0)" }.joined(separator: ",")
                return "{\"filter\":\"sync_gateway/bychannel\",\"channels\":\"\(names)\"}"
            }),
        Case(
            name: "a local document", size: 20_000, method: "PUT",
            path: { "/db.field.inspections/_local/l\($0)\(UUID())" },
            body: { members($0) }),
    ]

    @Test func requestsGrowWithTheirSize() async throws {
        try await TestGateway.run { gateway in
            let team = try await Self.team(gateway)
            for one in Self.cases {
                let growth = try await Growth.of(one.size, prepare: { ($0, Array(one.body($0).utf8)) }) { size, body in
                    let login = one.isAnonymous ? [] : [TestTeam.basic("alice")]
                    let answer = try await RawClient.request(
                        one.method, one.path(size), port: team.gateway.publicPort,
                        headers: login + one.headers + [("Content-Type", one.type)], body: body)
                    #expect(answer.status < 500, "\(one.name): \(answer.status)")
                }
                #expect(!growth.isSquare, "\(one.name): \(growth)")
            }
        }
    }

    /// Without scripts: the engine's work is another process's.
    private static func team(_ gateway: TestGateway) async throws -> TestTeam {
        let team = try await TestTeam(gateway)
        let plain: JSONValue = ["sync": "function(doc){channel(doc.channels);}"]
        _ = try await team.admin(
            "POST", "/db/_config",
            [
                "scopes": ["field": ["collections": ["inspections": plain, "sites": [:]]]],
                "delta_sync": ["enabled": true],
            ])
        return team
    }

    private static func messages(_ number: Int) -> [(
        name: String, size: Int, BLIPProperties, @Sendable (Int) -> String
    )] {
        [
            ("proposed", 5_000, ["Profile": "proposeChanges"], { list($0) { "[\"p\($0)\",\"1-a\"]" } }),
            ("members pushed", 20_000, ["Profile": "rev", "id": "b\(number)", "rev": "1-a"], { members($0) }),
            (
                "one name pushed", 20_000, ["Profile": "rev", "id": "c\(number)", "rev": "1-a"],
                { members($0) { "\"k\":\($0)" } }
            ),
            (
                "blobs pushed", 4_000, ["Profile": "rev", "id": "e\(number)", "rev": "1-a"],
                { members($0) { "\"k\($0)\":{\"@type\":\"blob\",\"digest\":\"sha1-\($0)\"}" } }
            ),
            (
                "attachments pushed", 1_200, ["Profile": "rev", "id": "f\(number)", "rev": "1-a"],
                { count in
                    let entries = (0..<count).map { "\"a\($0)\":{\"data\":\"aGk=\"}" }.joined(separator: ",")
                    return "{\"channels\":[\"north\"],\"_attachments\":{\(entries)}}"
                }
            ),
            ("ids", 5_000, ["Profile": "subChanges"], { "{\"docIDs\":\(list($0) { "\"d\($0)\"" })}" }),
            ("checkpoint", 10_000, ["Profile": "setCheckpoint", "client": "x\(number)"], { members($0) }),
            ("announced", 5_000, ["Profile": "changes"], { list($0) { "[\($0),\"p\($0)\",\"1-a\"]" } }),
        ]
    }

    @Test func messagesGrowWithTheirSize() async throws {
        try await TestGateway.run { gateway in
            _ = try await Self.team(gateway)
            for place in Self.messages(0).indices {
                let (name, size, _, body) = Self.messages(0)[place]
                var number = 0
                let growth = try await Growth.of(size, prepare: { Array(body($0).utf8) }) { bytes in
                    let client = try await HostileSync(gateway, user: "alice")
                    number += 1
                    var properties: BLIPProperties = ["collection": "0"]
                    var profile = ""
                    for property in Self.messages(number)[place].2 {
                        if property.key == "Profile" {
                            profile = property.value
                        } else {
                            properties.append(property.key, property.value)
                        }
                    }
                    _ = try await client.ask(profile, properties, bytes: bytes)
                    client.connection.abort()
                }
                #expect(!growth.isSquare, "\(name): \(growth)")
            }
        }
    }
}
