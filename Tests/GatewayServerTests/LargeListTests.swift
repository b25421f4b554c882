import DocumentValues
import Foundation
import Testing

/// Lists that are too large to be made as a whole: sent while they are made, and complete.
@Suite(.serialized) struct LargeListTests {
    private static let count = 1_200

    private static func id(_ number: Int) -> String { "d" + String(10_000 + number) }

    private static func fill(_ team: TestTeam) async throws {
        let text = String(repeating: "x", count: 2_000)
        let docs = (0..<count).map { number -> JSONValue in
            ["_id": .string(id(number)), "channels": ["north"], "text": .string(text)]
        }
        try team.expect(201, try await team.admin("POST", "\(TestTeam.collection)/_bulk_docs", ["docs": .array(docs)]))
        // Bob's, in between: no page ends with them.
        for number in [0, 499, 500, 1_199] {
            let path = "\(TestTeam.collection)/\(id(number))x"
            try team.expect(201, try await team.admin("PUT", path, ["channels": ["south"]]))
        }
    }

    private static func ids(_ answer: RawAnswer, _ member: String) -> [String] {
        (answer.json?[member]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }.filter { !$0.hasPrefix("_") }
    }

    @Test(.timeLimit(.minutes(2))) func areWhole() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try await Self.fill(team)
            let all = (0..<Self.count).map(Self.id)
            func list(_ query: String, _ body: JSONValue? = nil) async throws -> RawAnswer {
                let path = "\(TestTeam.collection)/_all_docs?\(query)"
                return try await team.user("alice", body == nil ? "GET" : "POST", path, body)
            }
            let whole = try await list("include_docs=true")
            #expect(whole.isChunked)
            #expect(Self.ids(whole, "rows") == all)
            #expect(whole.json?["total_rows"]?.integerValue == Int64(Self.count))
            #expect(Self.ids(try await list(""), "rows") == all)
            for limit in [1, 499, 500, 501, 1_000, 1_200, 1_201] {
                #expect(Self.ids(try await list("limit=\(limit)"), "rows") == Array(all.prefix(limit)), "\(limit)")
            }
            let range = try await list("startkey=%22\(all[7])%22&endkey=%22\(all[1_100])%22&include_docs=true")
            #expect(Self.ids(range, "rows") == Array(all[7...1_100]))
            for count in [0, 50, 500, 1_000] {
                let keys = Array(all.reversed().prefix(count))
                let answer = try await list("include_docs=true", ["keys": .array(keys.map { .string($0) })])
                #expect(Self.ids(answer, "rows") == keys)
            }
            let bulk: JSONValue = ["docs": .array(all.map { ["id": .string($0)] })]
            let parts = try await team.user("alice", "POST", "\(TestTeam.collection)/_bulk_get", bulk)
            #expect(parts.isChunked && parts.text.hasSuffix("--\r\n"))
            #expect(parts.text.components(separatedBy: "\"_id\":").count - 1 == Self.count)
        }
    }

    /// As many as a document may have are all sent, in their order.
    @Test(.timeLimit(.minutes(1))) func thousandsOfAttachments() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/many"
            let members = (0..<5_000).map { number in
                let data = Base64.encode(Array("\(number)".utf8))
                return JSONObject.Member(key: "a\(number)", value: ["data": .string(data)])
            }
            let attachments = JSONValue.object(JSONObject(members: members))
            let body: JSONValue = ["channels": ["north"], "_attachments": attachments]
            try team.expect(201, try await team.user("alice", "PUT", path, body))
            for query in ["?attachments=true", "?open_revs=all"] {
                let accepted = [("Accept", "application/json")]
                let answer = try await team.user("alice", "GET", path + query, headers: accepted)
                let document = answer.json?.arrayValue?.first?["ok"] ?? answer.json
                let data = document?["_attachments"]?.objectValue?.map { $0.value["data"]?.stringValue ?? "" }
                #expect(data == members.map { $0.value["data"]?.stringValue ?? "" })
            }
        }
    }

    /// Asked for again and again, a large document is sent again and again, not held so many times.
    @Test(.timeLimit(.minutes(2))) func oneLargeDocumentManyTimes() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/big"
            let text = String(repeating: "x", count: 600_000)
            let stored = try await team.user("alice", "PUT", path, ["channels": ["north"], "text": .string(text)])
            let revision = try #require(stored.json?["rev"]?.stringValue)
            let keys = JSONValue.array(Array(repeating: "big", count: 10))
            let list = try await team.user(
                "alice", "POST", "\(TestTeam.collection)/_all_docs?include_docs=true", ["keys": keys])
            #expect(list.isChunked)
            #expect(
                list.json?["rows"]?.arrayValue?.compactMap { $0["doc"]?["text"]?.stringValue?.utf8.count }
                    == Array(repeating: text.utf8.count, count: 10))
            let open = Array(repeating: "%22\(revision)%22", count: 10).joined(separator: ",")
            let accepted = [("Accept", "application/json")]
            let plain = try await team.user(
                "alice", "GET", "\(path)?open_revs=[\(open),%221-x%22]", headers: accepted)
            #expect(plain.isChunked)
            let elements = plain.json?.arrayValue ?? []
            #expect(elements.compactMap { $0["ok"]?["_rev"]?.stringValue } == Array(repeating: revision, count: 10))
            #expect(elements.last?["missing"]?.stringValue == "1-x" && elements.count == 11)
            let parts = try await team.user("alice", "GET", "\(path)?open_revs=[\(open)]")
            #expect(parts.isChunked && parts.text.hasSuffix("--\r\n"))
            #expect(parts.text.components(separatedBy: "\"_id\":").count - 1 == 10)
            let none = try await team.user("alice", "GET", "\(path)?open_revs=[]", headers: accepted)
            #expect(none.json == [])
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["normal", "longpoll"]) func feedsAreWhole(feed: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try await Self.fill(team)
            let path = "\(TestTeam.collection)/_changes?feed=\(feed)&include_docs=true"
            let whole = try await team.user("alice", "GET", path)
            #expect(whole.isChunked)
            #expect(Self.ids(whole, "results").sorted() == (0..<Self.count).map(Self.id))
            let last = whole.json?["results"]?.arrayValue?.last?["seq"]
            #expect(whole.json?["last_seq"]?.stringValue == last?.integerValue.map { String($0) })
            for limit in [1, 50, 51, 700] {
                let part = try await team.user("alice", "GET", path + "&limit=\(limit)")
                #expect(part.json?["results"]?.arrayValue?.count == limit)
            }
        }
    }
}
