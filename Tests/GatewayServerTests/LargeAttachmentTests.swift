import DocumentValues
import Foundation
import Glibc
import Testing

/// Attachments that are larger than what anybody would hold in memory.
@Suite(.serialized) struct LargeAttachmentTests {
    private static let path = "\(TestTeam.collection)/d"

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 13) }
    }

    private static func set(_ megabytes: Int, _ team: TestTeam) async throws {
        try team.expect(
            201, try await team.admin("POST", "/db/_config", ["max_attachment_size_mb": .int(megabytes)]))
    }

    /// Pushes a document whose attachment the client brings when it is asked.
    private static func push(_ content: [UInt8], _ client: HostileSync) async throws -> HostileSync.Answer {
        client.answers("getAttachment", content)
        let stub: JSONValue = [
            "stub": true, "digest": .string(BlobDigest(of: content).text), "length": .int(content.count), "revpos": 1,
        ]
        return try await client.push(
            "d", "1-00000000000000000000000000000001", ["channels": ["north"], "_attachments": ["a": stub]])
    }

    @Test(.timeLimit(.minutes(2)), arguments: [0, 1, 100_000, 131_072, 131_073, 3_000_000])
    func whatIsPushedComesBack(size: Int) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let content = Self.bytes(size)
            let answer = try await Self.push(content, HostileSync(gateway, user: "alice"))
            #expect(answer.status == 200)
            #expect(try await team.user("alice", "GET", Self.path + "/a").body == content)
            try await Self.allAreClosed(in: gateway.folder)
        }
    }

    /// The limit of values is of JSON, and an attachment is none.
    @Test(.timeLimit(.minutes(2))) func anAttachmentMayHaveAnyNumberOfCommas() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let content = [UInt8](repeating: UInt8(ascii: ","), count: 500_000)
            #expect(try await Self.push(content, HostileSync(gateway, user: "alice")).status == 200)
            #expect(try await team.user("alice", "GET", Self.path + "/a").body == content)
        }
    }

    /// Sync Gateway's limit, over both ways in, and what a configuration says instead.
    @Test(.timeLimit(.minutes(3))) func theLimitIsWhatTheConfigurationSays() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let content = Self.bytes(21 << 20)
            let headers = [TestTeam.basic("alice")]
            func put(_ path: String = Self.path) async throws -> RawAnswer {
                try await RawClient.request(
                    "PUT", path + "/a", port: gateway.publicPort, headers: headers, body: content)
            }
            #expect(try await Self.push(content, HostileSync(gateway, user: "alice")).status == 413)
            try team.expect(413, try await put())
            #expect(try await team.user("alice", "GET", Self.path).status == 404)
            try await Self.allAreClosed(in: gateway.folder)
            try await Self.set(30, team)
            #expect(try await Self.push(content, HostileSync(gateway, user: "alice")).status == 200)
            #expect(try await team.user("alice", "GET", Self.path + "/a").body == content)
            try team.expect(201, try await put("\(TestTeam.collection)/other"))
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["0", "-1", "1.5", "\"20\"", "100000", "true"])
    func aLimitThatMakesNoSenseIsRefused(text: String) async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let answer = try await team.admin(
                "POST", "/db/_config", ["max_attachment_size_mb": try JSONValue(parsing: Array(text.utf8))])
            #expect(answer.status == 400)
            #expect(answer.text.contains("max_attachment_size_mb"))
        }
    }

    /// Bytes that are not what the revision names are not kept, nor is what came of a client that went away.
    @Test(.timeLimit(.minutes(2))) func whatWasRefusedOrBrokenOffLeavesNothing() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let client = try await HostileSync(gateway, user: "alice")
            client.answers("getAttachment", Self.bytes(1_000_000))
            let stub: JSONValue = ["stub": true, "digest": .string(BlobDigest(of: [1]).text), "revpos": 1]
            let answer = try await client.push(
                "d", "1-00000000000000000000000000000001", ["channels": ["north"], "_attachments": ["a": stub]])
            #expect(answer.status == 400)
            try await Self.allAreClosed(in: gateway.folder)
            let files = try FileManager.default.subpathsOfDirectory(atPath: gateway.folder.path)
            #expect(!files.contains { $0.contains(".attachment") }, "\(files)")
            try team.expect(404, try await team.user("alice", "GET", Self.path))
        }
    }

    /// Waits within the test's time limit: what is being written when it is refused is closed when that is done.
    private static func allAreClosed(in folder: URL) async throws {
        while try openFiles(in: folder) > 0 { await Task.yield() }
    }

    /// Files without a name that this process, the gateway's here, has open in a folder.
    private static func openFiles(in folder: URL) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)
            else { return false }
            return target.hasPrefix(folder.path) && target.contains(".attachment-")
        }
    }
}
