import DocumentValues
import Synchronization
import Testing

@testable import GatewayCore

/// Bodies are asynchronous: whatever a body awaits, its transaction is whole, and ends with it.
@Suite(.timeLimit(.minutes(1))) struct StoreBodyTests {
    private struct Refused: Error {}

    /// An object outside of the store that a body may await.
    private actor Counter {
        private(set) var count = 0

        func add() async -> Int {
            let next = count + 1
            await Task.yield()
            count = next
            return count
        }
    }

    private final class Tally: Sendable {
        let count = Mutex(0)
    }

    private static func property(_ name: String) -> StoreProperty { StoreProperty(name: name) }

    private static func number(_ name: String, in store: any GatewayStore) async throws -> UInt64 {
        try await store.read { try await $0.properties.number(property(name)) }
    }

    /// Each write reads the value of the one before, with a pause between reading and writing.
    @Test(arguments: StoreEngine.allCases) func aWriteThatWaitsIsWhole(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await store.write { transaction in
                            let counter = Counter()
                            let before = try await transaction.reader.properties.number(Self.property("n"))
                            for _ in 0..<3 { _ = await counter.add() }
                            let more = UInt64(await counter.count)
                            try await transaction.properties.set(Self.property("n"), to: before + more)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Self.number("n", in: store) == 60)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aReadThatWaitsSeesOneState(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.write { try await $0.properties.set(Self.property("n"), to: 1) }
            let states = try await store.read { reader in
                let before = try await reader.properties.number(Self.property("n"))
                try await store.write { try await $0.properties.set(Self.property("n"), to: 2) }
                let other = try await store.read { try await $0.properties.number(Self.property("n")) }
                return [before, try await reader.properties.number(Self.property("n")), other]
            }
            #expect(states == [1, 1, 2])
        }
    }

    /// Until the commit, others read the former state.
    @Test(arguments: StoreEngine.allCases) func aWriteMayReadWhatIsCommitted(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let states = try await store.write { transaction in
                try await transaction.properties.set(Self.property("n"), to: 7)
                let committed = try await store.read { try await $0.properties.number(Self.property("n")) }
                return [committed, try await transaction.reader.properties.number(Self.property("n"))]
            }
            #expect(states == [0, 7])
        }
    }

    @Test(arguments: StoreEngine.allCases) func childTasksOfABodyEndWithIt(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let sum = try await store.write { transaction in
                async let one = Counter().add()
                async let two = Counter().add()
                try await transaction.properties.set(Self.property("n"), to: 5)
                return UInt64(await one + two) + (try await transaction.reader.properties.number(Self.property("n")))
            }
            #expect(sum == 7)
        }
    }

    /// The thread of a connection only runs the body: a task that has read continues elsewhere, however long it takes.
    @Test(arguments: StoreEngine.allCases) func whoHasReadHoldsNoReader(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let (readers, ends) = (Tally(), Tally())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<(GatewayLimits.readers + 2) {
                    group.addTask {
                        _ = try await store.read { try await $0.properties.number(Self.property("n")) }
                        readers.count.withLock { $0 += 1 }
                        while ends.count.withLock({ $0 }) == 0 { await Task.yield() }
                    }
                }
                while readers.count.withLock({ $0 }) < GatewayLimits.readers + 2 { await Task.yield() }
                try await store.write { try await $0.properties.set(Self.property("n"), to: 1) }
                #expect(try await Self.number("n", in: store) == 1)
                ends.count.withLock { $0 = 1 }
                try await group.waitForAll()
            }
        }
    }

    /// The body of a cancelled task decides by itself: if it ends without an error, its writes are stored.
    @Test(arguments: StoreEngine.allCases) func aCancelledWriteIsWholeOrNothing(on engine: StoreEngine) async throws {
        try await engine.run { store in
            for givesUp in [true, false] {
                let task = Task {
                    try await store.write { transaction in
                        try await transaction.properties.set(Self.property("n\(givesUp)"), to: 1)
                        while !Task.isCancelled { await Task.yield() }
                        if givesUp { throw CancellationError() }
                        try await transaction.properties.set(Self.property("n\(givesUp)"), to: 2)
                    }
                }
                task.cancel()
                let outcome = await task.result
                let isStored = if case .success = outcome { true } else { false }
                #expect(isStored == !givesUp)
                let stored = try await store.read { try await $0.properties.number(Self.property("n\(givesUp)")) }
                #expect(stored == (givesUp ? 0 : 2))
            }
            #expect(try await store.write { try await $0.nextSequence() } == 1, "no transaction is open behind it")
        }
    }

    @Test(arguments: StoreEngine.allCases) func aCancelledReadEnds(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await store.read { try await $0.properties.number(Self.property("n")) }
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let begun = AsyncStream<Void>.makeStream()
            let inside = Task {
                try await store.read { reader in
                    begun.continuation.finish()
                    while !Task.isCancelled { await Task.yield() }
                    try Task.checkCancellation()
                }
            }
            for await _ in begun.stream {}
            inside.cancel()
            await #expect(throws: CancellationError.self) { try await inside.value }
            let left = try await Self.number("n", in: store)
            #expect(left == 0)
        }
    }

    /// A write that fails after a wait undoes only its own changes, not those of others in the same commit.
    @Test(arguments: StoreEngine.allCases) func aWriteThatFailsLateIsUndone(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        do {
                            try await store.write { transaction in
                                try await transaction.properties.set(Self.property("p\(number)"), to: 1)
                                _ = await Counter().add()
                                if number % 3 == 0 { throw Refused() }
                            }
                            return true
                        } catch { return false }
                    }
                }
                return await group.reduce(into: [Bool: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(outcomes == [true: 20, false: 10])
            for (number, value) in [(0, 0), (1, 1), (3, 0)] as [(Int, UInt64)] {
                let stored = try await Self.number("p\(number)", in: store)
                #expect(stored == value)
            }
        }
    }

    /// A store that is closed lends nothing, and its tasks do not wait for ever.
    @Test(arguments: StoreEngine.allCases) func whoWaitsForAStoreThatClosesIsAnswered(on engine: StoreEngine)
        async throws
    {
        try await engine.inFolder { path in
            let store = try engine.open(path)
            let gate = Barrier()
            gate.close()
            let first = Task {
                try await store.write { transaction in
                    await gate.pass()
                    return try await transaction.nextSequence()
                }
            }
            await gate.arrival()
            let later = (0..<3).map { _ in Task { try await store.write { try await $0.nextSequence() } } }
            while store.waitingWrites < 3 { await Task.yield() }
            async let closing: Void = Self.close(store)
            for _ in 0..<100 { await Task.yield() }
            gate.open()
            try await closing
            #expect(try await first.value == 1)
            // Each one has its turn before the file is closed, or gets an error.
            for task in later {
                do { _ = try await task.value } catch { #expect(error as? GatewayError == .underMaintenance) }
            }
        }
    }

    /// A read that waits for a connection while the store closes gets 503, and not SQLite's error of a closed connection.
    @Test(arguments: StoreEngine.allCases) func whoWaitsForAReaderOfAStoreThatClosesIsAnswered(on engine: StoreEngine)
        async throws
    {
        try await engine.inFolder { path in
            let store = try engine.open(path)
            let later = Tally()
            let gates = (0..<GatewayLimits.readers).map { _ in Barrier() }
            for gate in gates { gate.close() }
            let first = gates.map { gate in Task { try await store.read { _ in await gate.pass() } } }
            for gate in gates { await gate.arrival() }
            let waiting = (0..<3).map { _ in
                Task {
                    later.count.withLock { $0 += 1 }
                    return try await Self.number("n", in: store)
                }
            }
            while later.count.withLock({ $0 }) < 3 { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            async let closing: Void = Self.close(store)
            for _ in 0..<100 { await Task.yield() }
            for gate in gates { gate.open() }
            for task in first { try await task.value }
            try await closing
            // Each one has its turn before the file is closed, or gets an error.
            for task in waiting {
                do { _ = try await task.value } catch { #expect(error as? GatewayError == .underMaintenance) }
            }
        }
    }

    private static func close(_ store: any GatewayStore) async throws { try await store.close() }
}
