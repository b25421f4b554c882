import DocumentValues
@testable import GatewayServer
import Synchronization
import Testing

/// A client without an account tries invented names as fast as the gateway answers.
@Suite(.serialized) struct LoginFloodTests {
    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    @Test(.timeLimit(.minutes(1))) func aFloodOfInventedNamesKeepsNobodyOut() async throws {
        try await TestGateway.run { gateway in
            let team = try await TestTeam(gateway)
            let isOver = Flag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for flooder in 0..<250 {
                    group.addTask {
                        var count = 0
                        while !isOver.isSet {
                            count += 1
                            let invented = TestTeam.basic("x\(flooder)-\(count)", "guess")
                            let answer = try await RawClient.request(
                                "GET", "/db/", port: gateway.publicPort, headers: [invented])
                            #expect([401, 429].contains(answer.status))
                        }
                    }
                }
                defer { isOver.set() }
                // Those for which the queue is full hear so: then the gateway is full.
                var refused = 0
                while refused == 0 {
                    let answer = try await RawClient.request(
                        "GET", "/db/", port: gateway.publicPort, headers: [TestTeam.basic("probe\(refused)", "guess")])
                    if answer.status == 429 { refused += 1 }
                }
                #expect(try await team.user("alice", "GET", "/db/").status == 200)
                #expect(try await team.user("bob", "GET", "/db/").status == 200)
                #expect(try await team.admin("PUT", "/db/_user/carol", ["password": "pass"]).status == 201)
                isOver.set()
                try await group.waitForAll()
            }
        }
    }
}
