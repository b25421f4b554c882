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
    private struct Tally {
        var running = 0
        var most = 0
        var done = 0
    }

    @Test func eachHasItsTurn() async throws {
        let turns = ReadTurns(limit: 2)
        let tally = Mutex(Tally())
        try await withThrowingTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    try await turns.run(of: "ann") {
                        tally.withLock { tally in
                            tally.running += 1
                            tally.most = max(tally.most, tally.running)
                        }
                        await Task.yield()
                        tally.withLock { tally in
                            tally.running -= 1
                            tally.done += 1
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(tally.withLock { $0.done == 200 && $0.most <= 2 && $0.running == 0 })
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
