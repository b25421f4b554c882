@testable import GatewayCore
import SodiumCrypto
import Testing

@Suite struct PasswordCheckerTests {
    private let checker = PasswordChecker(strength: .testsOnly)

    /// An app that begins with many requests at once is let in, although few passwords of one name may wait.
    @Test func manyRequestsWithOnePasswordAreLetIn() async throws {
        let hash = try await checker.hash("right")
        let count = 20 * GatewayLimits.waitingLoginsOfName
        let verdicts = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask { [checker] in
                    try await checker.verify(
                        name: "ann", password: number < count / 2 ? "right" : "wrong", hash: hash, from: "home")
                }
            }
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(checker.remembers(name: "ann", password: "right", hash: hash))
        #expect(!checker.remembers(name: "ann", password: "wrong", hash: hash))
        #expect(!checker.remembers(name: "annr", password: "ight", hash: hash), "the parts are kept apart")
        #expect(verdicts.filter { $0 }.count == count / 2)
        #expect(verdicts.count == count)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["right", "wrong"])
    func aRequestThatHasEndedDoesNotWait(password: String) async throws {
        let hash = try await checker.hash("right")
        let ended = Task { [checker] in
            // It is cancelled before it asks.
            while !Task.isCancelled { await Task.yield() }
            return try await checker.verify(name: "ann", password: password, hash: hash, from: "home")
        }
        ended.cancel()
        let error = await #expect(throws: GatewayError.self) { try await ended.value }
        #expect(error?.status == 503)
        // Nothing is left of it in the order.
        #expect(try await checker.verify(name: "ann", password: "right", hash: hash, from: "home"))
    }
}
