import DocumentValues
import Synchronization
import Testing

@testable import GatewayCore

@Suite struct AccountTurnsTests {
    @Test func anAccountWaitsForItselfAlone() {
        var turns = AccountTurns(limit: 2)
        #expect(turns.begin("ann") && turns.begin("ann") && !turns.begin("ann"))
        #expect(turns.begin("bob") == true)
        let tickets = (0..<3).map { _ in turns.newTicket() }
        for ticket in tickets { turns.wait(ticket, of: "ann") }
        #expect(turns.end("bob") == nil)
        #expect(turns.leave(tickets[1], of: "ann") == true)
        #expect(!turns.leave(tickets[1], of: "ann") && !turns.leave(tickets[0], of: "bob"))
        #expect(turns.end("ann") == tickets[0])
        #expect(turns.begin("ann") == false, "the turn was given on")
        #expect(turns.end("ann") == tickets[2])
        #expect(turns.end("ann") == nil && turns.end("ann") == nil)
        #expect(turns.begin("ann") && turns.begin("ann") && !turns.begin("ann"))
    }
}

@Suite(.timeLimit(.minutes(1))) struct ReadTurnsTests {
    /// How many run at the same time, and the most that ever did.
    private final class Tally: Sendable {
        private let counts = Mutex((running: 0, most: 0, done: 0))

        var all: (running: Int, most: Int, done: Int) { counts.withLock { $0 } }

        func begin() {
            counts.withLock { counts in
                counts.running += 1
                counts.most = max(counts.most, counts.running)
            }
        }

        func end() {
            counts.withLock { counts in
                counts.running -= 1
                counts.done += 1
            }
        }
    }

    @Test func eachHasItsTurn() async throws {
        let turns = ReadTurns(limit: 2)
        let tally = Tally()
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    try await turns.run(of: "ann") {
                        tally.begin()
                        await Task.yield()
                        tally.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(tally.all.done == 200 && tally.all.most <= 2 && tally.all.running == 0)
    }

    @Test func whoIsCancelledDoesNotWaitAndTakesNobodysTurn() async throws {
        let turns = ReadTurns(limit: 1)
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let (begun, notice) = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await turns.run(of: "ann") {
                notice.yield()
                for await _ in gate { return }
            }
        }
        for await _ in begun { break }
        let waiter = Task { try await turns.run(of: "ann") {} }
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        try await turns.run(of: "bob") {}
        opener.yield()
        try await holder.value
        try await turns.run(of: "ann") {}
    }
}
