import BLIPProtocol
import BLIPTransport
import DocumentValues
import SeededRandom
import Testing

@testable import GatewayServer

/// Sync clients that ask for everything and read nothing.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SlowReaderTests {
    private static let documents = 100
    private static let bytes = 200_000

    private func unsent(_ gateway: TestGateway) async throws -> Int {
        let metrics = try await RawClient.request("GET", "/metrics", port: gateway.metricsPort)
        let name = "fieldbook_gateway_unsent_bytes "
        let line = metrics.text.split(separator: "\n").first { $0.hasPrefix(name) }
        return try #require(line.flatMap { Int($0.dropFirst(name.count)) })
    }

    /// Documents that no compression makes smaller: more of them than the system's buffers take.
    private func store(_ team: TestTeam) async throws {
        var generator = SeededGenerator(seed: 11)
        for number in 0..<Self.documents {
            let content = (0..<Self.bytes * 3 / 4).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let document: JSONValue = ["channels": ["north"], "text": .string(Base64.encode(content))]
            try team.expect(201, try await team.admin("PUT", "\(TestTeam.collection)/d\(number)", document))
        }
    }

    private func asksForEverything(_ gateway: TestGateway) async throws -> HostileSync {
        let client = try await HostileSync(gateway, user: "alice")
        let properties: BLIPProperties = ["Profile": "subChanges", "collection": "0", "continuous": "true"]
        client.connection.send([.request(BLIPRequest(properties: properties), tag: 99)])
        return client
    }

    @Test func whatTheyLeaveUnreadIsBounded() async throws {
        var bounds = GatewayBounds()
        bounds.sending = 4 << 20
        bounds.sendingOfOne = 1 << 20
        try await TestGateway.run(bounds: bounds) { gateway in
            let team = try await TestTeam(gateway)
            try await store(team)
            var clients: [HostileSync] = []
            for _ in 0..<6 {
                let client = try await asksForEverything(gateway)
                try await client.hears("rev")
                client.connection.pauseReading()
                clients.append(client)
            }
            // Somebody with the same name who does read gets everything meanwhile.
            let reader = try await asksForEverything(gateway)
            var most = 0
            while reader.heard("rev").count < Self.documents { most = max(most, try await unsent(gateway)) }
            // Her share, and one document of each connection.
            #expect(most > 0 && most <= (1 << 20) + 8 * (256 << 10), "\(most)")
            // Nobody was closed, and nothing is lost to who goes on reading.
            for client in clients { client.connection.resumeReading() }
            for client in clients { while client.heard("rev").count < Self.documents { _ = try await unsent(gateway) } }
            while try await unsent(gateway) > 0 {}
        }
    }
}
