import Dispatch
import Synchronization
import Testing

@testable import GatewayCore

/// A connection is used by one task at a time, on the thread that holds it, and is always given back.
@Suite(.timeLimit(.minutes(1))) struct LentConnectionTests {
    private struct Refused: Error {}

    /// The lent connection: counts the tasks that use it at the same time.
    private final class Connection: Sendable {
        let uses = Mutex(0)
    }

    private static let queue = DispatchQueue(label: "lender")

    /// Lends from a thread that may wait, and returns when the thread has the connection back.
    private static func lend(_ connection: Connection, by lent: LentConnection<Connection>) async {
        await withCheckedContinuation { continuation in
            queue.async {
                lent.lend(connection)
                continuation.resume()
            }
        }
    }

    @Test func theBodyRunsWhereItIsLent() async throws {
        let (lent, connection) = (LentConnection<Connection>(), Connection())
        let key = DispatchSpecificKey<Int>()
        Self.queue.setSpecific(key: key, value: 1)
        async let lending: Void = Self.lend(connection, by: lent)
        let seen = try await lent.use { connection in
            var seen = [Self.specific(key)]
            for _ in 0..<3 {
                await Task.yield()
                connection.uses.withLock { $0 += 1 }
                seen.append(Self.specific(key))
            }
            return seen
        }
        await lending
        #expect(seen == [1, 1, 1, 1], "also behind what it waits for")
        #expect(connection.uses.withLock { $0 } == 3)
    }

    private static func specific(_ key: DispatchSpecificKey<Int>) -> Int? { DispatchQueue.getSpecific(key: key) }

    @Test func whatTheBodyThrowsEndsTheLoan() async throws {
        let (lent, connection) = (LentConnection<Connection>(), Connection())
        async let lending: Void = Self.lend(connection, by: lent)
        await #expect(throws: Refused.self) {
            try await lent.use { _ in
                await Task.yield()
                throw Refused()
            }
        }
        await lending
        lent.whileLent { _ in Issue.record("it is given back") }
    }

    @Test(arguments: [true, false]) func aRefusalIsTheTasksError(isEarly: Bool) async throws {
        let lent = LentConnection<Connection>()
        if isEarly { lent.refuse(with: Refused()) }
        let outcome = Task { try await lent.use { _ -> Void in Issue.record("nothing is lent") } }
        if !isEarly {
            await Task.yield()
            lent.refuse(with: Refused())
        }
        await #expect(throws: Refused.self) { try await outcome.value }
    }

    /// A failed commit does not refuse the connection to tasks whose body has run.
    @Test func whatWasLentIsNotRefused() async throws {
        let (lent, connection) = (LentConnection<Connection>(), Connection())
        async let lending: Void = Self.lend(connection, by: lent)
        let value = try await lent.use { _ in
            lent.refuse(with: Refused())
            lent.whileLent { $0.uses.withLock { $0 += 1 } }
            return 7
        }
        await lending
        lent.refuse(with: Refused())
        #expect(value == 7 && connection.uses.withLock { $0 } == 1)
    }

    /// Many at the same time, of more tasks than there are threads, each with a thread of its own that waits for it.
    @Test func noTaskWaitsForAnother() async throws {
        let total = Connection()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let (lent, connection) = (LentConnection<Connection>(), Connection())
                    let queue = DispatchQueue(label: "lender-\(number % 5)")
                    queue.async { lent.lend(connection) }
                    try await lent.use { connection in
                        for _ in 0..<5 {
                            await Task.yield()
                            connection.uses.withLock { $0 += 1 }
                        }
                        let uses = connection.uses.withLock { $0 }
                        total.uses.withLock { $0 += uses }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(total.uses.withLock { $0 } == 250)
    }
}
