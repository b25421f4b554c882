import DocumentValues
import Testing

/// Documents of many levels, through everything that looks inside them.
@Suite(.serialized) struct DeepDocumentTests {
    private static func document(levels: Int) throws -> JSONValue {
        let inner = String(repeating: #"{"a":"#, count: levels - 1) + "1" + String(repeating: "}", count: levels - 1)
        return try JSONValue(
            parsing: Array(#"{"channels":["north"],"deep":\#(inner)}"#.utf8), depth: JSONLimits.answerDepth)
    }

    @Test(.timeLimit(.minutes(2))) func documentsOfAThousandLevelsAreTaken() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let path = "\(TestTeam.collection)/deep"
            let deepest = try Self.document(levels: JSONLimits.depth)
            let first = try await team.user("alice", "PUT", path, deepest)
            try team.expect(201, first)
            let revision = try #require(first.json?["rev"]?.stringValue)
            try team.expect(201, try await team.user("alice", "PUT", "\(path)?rev=\(revision)", deepest))

            let answer = try await team.user("alice", "GET", path)
            #expect(try JSONObject(parsing: answer.body)["deep"] == deepest["deep"])
            let list = try await team.user("alice", "GET", "\(TestTeam.collection)/_all_docs?include_docs=true")
            #expect(list.status == 200 && list.text.contains("deep"))
            try team.expect(403, try await team.user("bob", "GET", path))

            let bulk: JSONValue = ["docs": [try Self.document(levels: JSONLimits.depth - 2)]]
            try team.expect(201, try await team.user("alice", "POST", "\(TestTeam.collection)/_bulk_docs", bulk))
        }
    }

    @Test(.timeLimit(.minutes(1))) func deeperOnesAreRefusedWithTheLimit() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let answer = try await team.user(
                "alice", "PUT", "\(TestTeam.collection)/deep", try Self.document(levels: JSONLimits.depth + 1))
            #expect(answer.status == 400)
            #expect(answer.json?["reason"]?.stringValue?.contains("nested more than 1000 levels") == true)
        }
    }
}
