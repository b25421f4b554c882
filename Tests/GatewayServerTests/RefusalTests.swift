import DocumentValues
import Foundation
import GatewayServer
import Testing

/// Requests that are too large or too early get the right status, and the time to come back.
@Suite(.serialized) struct RefusalTests {
    private static func retry(_ answer: RawAnswer) -> Int { answer.header("Retry-After").flatMap { Int($0) } ?? 0 }

    @Test(.timeLimit(.minutes(1))) func tooManyRequestsAtOnceAreAsked() async throws {
        try await TestGateway.run {
            $0.requestsInFlight = 1
        } _: { gateway in
            let admin = gateway.adminPort
            _ = try await RawClient.request("PUT", "/db/", port: admin, body: Array("{}".utf8))
            // A feed that waits is the one request.
            let (opened, isOpen) = AsyncStream<Int>.makeStream()
            async let feed = RawClient.onSocket(port: admin) { socket -> Int in
                try socket.send(
                    Array("GET /db/_changes?feed=continuous&timeout=60000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8))
                isOpen.yield(try socket.head().status)
                isOpen.finish()
                while try socket.chunk() != nil {}
                return 0
            }
            for await status in opened { #expect(status == 200) }
            let refused = try await RawClient.request("GET", "/db/", port: admin)
            #expect(refused.status == 503)
            #expect(Self.retry(refused) > 0)
            await gateway.shutDown()
            _ = try? await feed
        }
    }

    @Test(.timeLimit(.minutes(1))) func anOfflineDatabaseSaysWhenToComeBack() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            try team.expect(200, try await team.admin("POST", "/db/_offline"))
            let refused = try await team.user("alice", "GET", "\(TestTeam.collection)/_changes")
            #expect(refused.status == 503)
            #expect(Self.retry(refused) > 0)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aGuesserHearsWhenToComeBack() async throws {
        try await TestGateway.run { gateway in
            _ = try await TestTeam(gateway)
            var answer = RawAnswer()
            for _ in 0..<10 where answer.status != 429 {
                answer = try await RawClient.request(
                    "GET", "/db/", port: gateway.publicPort, headers: [TestTeam.basic("alice", "wrong")])
            }
            #expect(answer.status == 429)
            #expect(Self.retry(answer) > 0)
        }
    }

    /// A resync that is stopped leaves what it did and does no more.
    @Test(.timeLimit(.minutes(2))) func aResyncIsStopped() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let documents = (0..<1_000).map { JSONValue.object(["_id": .string("d\($0)"), "channels": ["north"]]) }
            let request: JSONValue = ["docs": .array(documents)]
            try team.expect(201, try await team.admin("POST", "\(TestTeam.collection)/_bulk_docs", request))
            let slow = "function(doc){ var end = Date.now() + 5; while (Date.now() < end) {} channel('south'); }"
            let changed = try await RawClient.request(
                "PUT", "\(TestTeam.collection)/_config/sync", port: gateway.adminPort,
                headers: [("Content-Type", "application/javascript")], body: Array(slow.utf8))
            try team.expect(200, changed)
            try team.expect(200, try await team.admin("POST", "/db/_offline"))
            try team.expect(400, try await team.admin("POST", "/db/_resync?action=stop"))
            try team.expect(200, try await team.admin("POST", "/db/_resync?action=start"))
            let stopping = try await team.admin("POST", "/db/_resync?action=stop")
            #expect(stopping.json?["status"]?.stringValue == "stopping")
            var status = stopping.json
            while status?["status"]?.stringValue == "stopping" {
                status = try await team.admin("GET", "/db/_resync").json
            }
            #expect(status?["status"]?.stringValue == "stopped")
            #expect(status?["docs_processed"]?.integerValue ?? 1_000 < 1_000)
            try team.expect(400, try await team.admin("POST", "/db/_resync?action=stop"))
            try team.expect(200, try await team.admin("POST", "/db/_online"))
            #expect(try await team.admin("GET", "\(TestTeam.collection)/d0").status == 200)
        }
    }
}
