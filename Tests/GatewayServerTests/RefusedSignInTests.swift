import Testing

@testable import GatewayServer

/// Wrong passwords are in the log, and fill no disk.
@Suite(.timeLimit(.minutes(2))) struct RefusedSignInTests {
    @Test func someOfEachAddressAreInTheLog() async throws {
        let log = LogLines()
        try await TestGateway.run(log: log) { gateway in
            let team = try await TestTeam(gateway)
            func lines(_ text: String) -> [String] { log.all.filter { $0.contains(text) } }
            for number in 0..<(LoginLimits.refusalsLogged + 5) {
                let answer = try await RawClient.request(
                    "GET", "/db/", port: gateway.publicPort, headers: [TestTeam.basic("alice", "wrong\(number)")])
                #expect([401, 429].contains(answer.status))
            }
            let refused = lines("Refused a sign-in")
            // A minute may end meanwhile, and the count begins again.
            #expect((LoginLimits.refusalsLogged...LoginLimits.refusalsLogged + 5).contains(refused.count))
            #expect(refused.allSatisfy { $0.contains("user=alice") && $0.contains("client=") && $0.contains("db=db") })
            #expect(!log.all.contains { $0.contains("wrong") })
            #expect(lines("more are in the audit log").count <= 1)
            _ = team
        }
    }

    /// Nobody signs in whose name was not marked as people's.
    @Test func theNameIsRedacted() { #expect(Redaction.userKeys.contains("user")) }
}
