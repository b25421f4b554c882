import BLIPProtocol
import BLIPTransport
import DocumentValues
import NIOCore
import SeededRandom
import Testing

@testable import GatewayServer

/// Clients that ask for large answers and do not read them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnreadAnswerTests {
    private static let path = TestTeam.collection
    /// More than the system's buffers take.
    private static let bytes = 12 << 20

    private func unsent(_ gateway: TestGateway) async throws -> Int {
        let metrics = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort)
        let name = "fieldbook_gateway_unsent_bytes "
        let line = metrics.text.split(separator: "\n").first { $0.hasPrefix(name) }
        return try #require(line.flatMap { Int($0.dropFirst(name.count)) })
    }

    private func bounds() -> GatewayBounds {
        var bounds = GatewayBounds()
        bounds.sending = 64 << 20
        bounds.sendingOfOne = 16 << 20
        return bounds
    }

    /// Of sync connections, too, which send compressed: no compression makes it smaller, as what repeats lies too far back.
    private static let text: String = {
        var generator = SeededGenerator(seed: 5)
        let part = Base64.encode((0..<(48 << 10)).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        return String(repeating: part, count: bytes / part.utf8.count + 1)
    }()

    private func store(_ team: TestTeam) async throws {
        let text = Self.text
        try team.expect(
            201,
            try await team.admin("PUT", "\(Self.path)/d", ["channels": ["north", "south"], "text": .string(text)]))
    }

    private static func head(_ user: String, _ target: String) -> [UInt8] {
        let login = TestTeam.basic(user)
        return Array("GET \(target) HTTP/1.1\r\nHost: x\r\n\(login.0): \(login.1)\r\n\r\n".utf8)
    }

    private static let targets = [
        "\(path)/d", "\(path)/_all_docs?include_docs=true", "\(path)/_changes?include_docs=true",
        "\(path)/d?open_revs=all",
    ]

    @Test(arguments: targets) func unreadAnswersAreOnTheirUsersAccount(target: String) async throws {
        try await TestGateway.run(bounds: bounds()) { gateway in
            let team = try await TestTeam(gateway)
            try await store(team)
            do {
                let first = try RawSocket(port: gateway.publicPort, receives: 65_536)
                try first.send(Self.head("alice", target))
                let unread = try first.head()
                #expect(unread.status == 200)
                while try await unsent(gateway) < Self.bytes {}
                let second = try await team.user("alice", "GET", target)
                #expect(second.status == 503 && second.header("Retry-After") != nil, "\(second.status)")
                // Nobody else hears of it, not even alice where she asks for little.
                #expect(try await team.user("bob", "GET", target).body.count > Self.bytes)
                #expect(try await team.user("alice", "GET", "/db/").status == 200)
                #expect(try await team.user("alice", "HEAD", "\(Self.path)/d").status == 200)
            }
            while try await unsent(gateway) > 0 {}
            #expect(try await team.user("alice", "GET", target).body.count > Self.bytes)
        }
    }

    @Test func attachmentsAreReadFromTheDiskWhileTheyAreSent() async throws {
        var bounds = bounds()
        bounds.sendingOfOne = 32 << 20
        try await TestGateway.run(bounds: bounds) { gateway in
            let team = try await TestTeam(gateway)
            let content = [UInt8](repeating: 7, count: Self.bytes)
            let stored = try await RawClient.request(
                "PUT", "\(Self.path)/a/photo", port: gateway.adminPort, headers: [("Content-Type", "image/jpeg")],
                body: content)
            try team.expect(201, stored)
            let rev = try #require(stored.json?["rev"]?.stringValue)
            try team.expect(
                201,
                try await team.admin(
                    "PUT", "\(Self.path)/a?rev=\(rev)",
                    [
                        "channels": ["north"],
                        "_attachments": [
                            "photo": ["stub": true, "digest": .string("\(BlobDigest(of: content).text)")]
                        ],
                    ]))
            var sockets: [RawSocket] = []
            for _ in 0..<8 {
                let socket = try RawSocket(port: gateway.publicPort, receives: 65_536)
                try socket.send(Self.head("alice", "\(Self.path)/a/photo"))
                #expect(try socket.head().status == 200)
                sockets.append(socket)
            }
            #expect(try await unsent(gateway) <= 8 * GatewayServerLimits.answerPiece)
            #expect(try await team.user("alice", "GET", "\(Self.path)/a/photo").body == content)
            // Inside the document it would be in memory as a whole.
            let inline = try await team.user("alice", "GET", "\(Self.path)/a?attachments=true")
            #expect(inline.status == 200 && inline.body.count > Self.bytes)
            withExtendedLifetime(sockets) {}
        }
    }

    @Test func whoReadsNothingIsClosed() async throws {
        var bounds = bounds()
        bounds.readingLimit = .milliseconds(400)
        let log = LogLines()
        try await TestGateway.run(bounds: bounds, log: log) { gateway in
            let team = try await TestTeam(gateway)
            try await store(team)
            let unread = try RawSocket(port: gateway.publicPort, receives: 65_536)
            try unread.send(Self.head("alice", "\(Self.path)/d"))
            while !log.all.contains(where: { $0.contains("does not read its answer") }) {
                _ = try await unsent(gateway)
            }
            while try await unsent(gateway) > 0 {}
            #expect(throws: (any Error).self) { try unread.answer(isHead: false) }
        }
    }

    /// A piece that finds no room when the status is sent long ago: the client sees that the answer is not whole.
    @Test func anAnswerThatIsCutHasNoEnd() async throws {
        var bounds = bounds()
        // While a piece of the first answer is being made, it counts twice; the second is to find room then, too.
        bounds.sendingOfOne = 20 << 20
        try await TestGateway.run(bounds: bounds) { gateway in
            let team = try await TestTeam(gateway)
            try await store(team)
            // More than the system's buffers take: else the next piece may be made before the second answer.
            let small = String(repeating: "y", count: 6 << 20)
            try team.expect(
                201, try await team.admin("PUT", "\(Self.path)/a", ["channels": ["north"], "text": .string(small)]))
            let first = try RawSocket(port: gateway.publicPort, receives: 65_536)
            try first.send(Self.head("alice", "\(Self.path)/_all_docs?include_docs=true"))
            let begun = try first.head()
            #expect(begun.status == 200 && begun.isChunked)
            while try await unsent(gateway) < small.utf8.count {}
            let second = try RawSocket(port: gateway.publicPort, receives: 65_536)
            try second.send(Self.head("alice", "\(Self.path)/d"))
            #expect(try second.head().status == 200)
            while try await unsent(gateway) < small.utf8.count + Self.bytes {}
            // The next piece is the large document, for which there is no room beside itself.
            var bytes = 0
            let cut = #expect(throws: RawError.self) {
                while let chunk = try first.chunk() { bytes += chunk.count }
            }
            #expect(cut?.description.contains("cut") == true, "\(String(describing: cut))")
            #expect(bytes >= small.utf8.count && bytes < Self.bytes)
            withExtendedLifetime(second) {}
        }
    }

    /// Documents that a sync client asks for one by one.
    @Test func answersOverSyncAreOnTheAccount() async throws {
        try await TestGateway.run(bounds: bounds()) { gateway in
            let team = try await TestTeam(gateway)
            try await store(team)
            let client = try await HostileSync(gateway, user: "alice")
            let properties: BLIPProperties = ["Profile": "getRev", "collection": "0", "id": "d"]
            client.connection.pauseReading()
            client.connection.send((0..<8).map { .request(BLIPRequest(properties: properties), tag: 900 + $0) })
            // A little of it is sent at once.
            while try await unsent(gateway) < Self.bytes / 2 {}
            // One is sent, and there is no room for another.
            let other = try await HostileSync(gateway, user: "alice")
            #expect(try await unsent(gateway) < 2 * Self.bytes)
            other.connection.abort()
            let bob = try await HostileSync(gateway, user: "bob")
            guard case .message(let message) = try await bob.ask("getRev", ["collection": "0", "id": "d"]) else {
                Issue.record("bob gets nothing")
                return
            }
            #expect(message.bodyBytes.count > Self.bytes)
            client.connection.resumeReading()
            while try await unsent(gateway) > 0 {}
        }
    }

    /// A client may ask for a small one thousands of times.
    @Test func manySmallAnswersAreOnTheAccount() async throws {
        try await TestGateway.run(bounds: bounds()) { gateway in
            let team = try await TestTeam(gateway)
            let text = String(Self.text.prefix(12 << 10))
            try team.expect(
                201, try await team.admin("PUT", "\(Self.path)/s", ["channels": ["north"], "text": .string(text)]))
            let client = try await HostileSync(gateway, user: "alice")
            let properties: BLIPProperties = ["Profile": "getRev", "collection": "0", "id": "s"]
            client.connection.pauseReading()
            client.connection.send((0..<3_000).map { .request(BLIPRequest(properties: properties), tag: 900 + $0) })
            // More than the system's buffers take waits, and is counted; beyond her share they are refused.
            while try await unsent(gateway) < 12 << 20 {}
            #expect(try await unsent(gateway) <= 17 << 20)
            client.connection.resumeReading()
            while try await unsent(gateway) > 0 {}
        }
    }
}
