import DocumentValues
import Synchronization
import Testing

@testable import GatewayCore

@Suite struct AccountTurnsTests {
    @Test func anAccountWaitsForItselfAlone() {
        var turns = AccountTurns(limit: 2)
        #expect((0..<3).map { _ in turns.begin(of: "ann") } == [true, true, false])
        #expect(turns.begin(of: "bob") == true)
        let tickets = (0..<3).map { _ in turns.newTicket() }
        for ticket in tickets { turns.wait(ticket, of: "ann") }
        #expect(turns.end(of: "bob") == [])
        #expect(turns.leave(tickets[1], of: "ann") == [])
        #expect(turns.leave(tickets[1], of: "ann") == nil)
        #expect(turns.leave(tickets[0], of: "bob") == nil)
        #expect(turns.end(of: "ann") == [tickets[0]])
        #expect(turns.begin(of: "ann") == false, "the turn was given on")
        #expect(turns.end(of: "ann") == [tickets[2]])
        #expect((0..<2).map { _ in turns.end(of: "ann") } == [[], []])
        #expect((0..<3).map { _ in turns.begin(of: "ann") } == [true, true, false])
    }

    /// A connection that ends removes all its waiting requests, even from the middle of the line.
    @Test func manyLeave() {
        var turns = AccountTurns(limit: 1)
        _ = turns.begin(of: "ann")
        let tickets = (0..<1_000).map { _ in turns.newTicket() }
        for ticket in tickets { turns.wait(ticket, of: "ann") }
        for ticket in tickets.reversed() where ticket % 100 != 0 { #expect(turns.leave(ticket, of: "ann") == []) }
        var served: [AccountTurns.Ticket] = []
        while let next = turns.end(of: "ann").first { served.append(next) }
        #expect(served == tickets.filter { $0 % 100 == 0 })
        #expect(turns.begin(of: "ann") == true)
    }

    /// A large request waits for room of its own account, and later ones wait after it.
    @Test func eachHasItsWeight() {
        var turns = AccountTurns(limit: 100)
        #expect(turns.begin(500, of: "ann") == true, "who has nothing may have anything")
        let (large, small) = (turns.newTicket(), turns.newTicket())
        #expect(turns.begin(90, of: "ann") == false)
        turns.wait(large, weight: 90, of: "ann")
        #expect(turns.begin(1, of: "ann") == false)
        turns.wait(small, weight: 10, of: "ann")
        #expect(turns.end(500, of: "ann") == [large, small])
        #expect(turns.begin(1, of: "ann") == false)
        let (next, last) = (turns.newTicket(), turns.newTicket())
        turns.wait(next, weight: 20, of: "ann")
        turns.wait(last, weight: 10, of: "ann")
        #expect(turns.end(10, of: "ann") == [])
        #expect(turns.leave(next, of: "ann") == [last], "who waited behind it may begin")
    }

    /// Each account gets one request after the other, even if others never end theirs.
    @Test func nobodyWaitsForOthers() {
        var turns = AccountTurns(limit: 100, total: 250)
        for index in 0..<10 { #expect(turns.begin(100, of: Name("stalled \(index)")) == true) }
        for _ in 0..<200 {
            #expect(turns.begin(90, of: "bob") == true)
            #expect(turns.begin(1, of: "bob") == false, "there is no room for a second one")
            #expect(turns.end(90, of: "bob") == [])
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct AccountLineTests {
    /// The number of running requests, and its maximum.
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
        let turns = AccountLine(limit: 2)
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
        let turns = AccountLine(limit: 1)
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
