import DocumentValues
import Testing

@testable import GatewayCore

/// A write is done as a whole or not at all, is durable when it returns, and becomes visible in the order of its
/// sequence.
@Suite(.timeLimit(.minutes(1))) struct StoreTransactionTests {
    private struct Refused: Error {}

    @Test(arguments: StoreEngine.allCases) func aThrowUndoesItsOwnWriteAlone(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        do {
                            try await store.write { transaction in
                                let sequence = try await transaction.nextSequence()
                                try await transaction.documents.insert(
                                    .test(.test(1), at: sequence), id: "d\(number)", in: 1)
                                transaction.feed(of: 1).noteChange(of: Name("c\(number)"), at: sequence)
                                if number % 4 == 0 { throw Refused() }
                            }
                            return true
                        } catch { return false }
                    }
                }
                return await group.reduce(into: [Bool: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(outcomes == [true: 30, false: 10])
            let ids = try await store.read { try await $0.documents.page(in: 1, after: 0, limit: 100) }.map(\.id)
            #expect(ids.count == 30 && !ids.contains("d0") && ids.contains("d1"))
            func hasChanged(_ channel: Name) -> Bool {
                store.commits.mayHaveChanged(.channel(ChannelKey(collection: 1, channel: channel)), after: 0)
            }
            #expect(hasChanged("c1") && !hasChanged("c0"), "what was undone is no event")
        }
    }

    @Test(arguments: StoreEngine.allCases) func sequencesGoOnAfterItWasClosed(on engine: StoreEngine) async throws {
        try await engine.inFolder { path in
            let first = try engine.open(path)
            #expect(try await first.write { Array(try await $0.nextSequences(2)) } == [1, 2])
            try await first.close()
            let second = try engine.open(path)
            #expect(second.commits.lastSequence == 2)
            #expect(try await second.write { try await $0.nextSequence() } == 3)
            try await second.close()
        }
    }

    @Test(arguments: StoreEngine.allCases) func aReaderSeesOneState(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.write { try await $0.properties.set(.configurationVersion, to: 1) }
            let gate = Barrier()
            gate.close()
            async let states = store.read { reader in
                let before = try await reader.properties.number(.configurationVersion)
                await gate.pass()
                return [before, try await reader.properties.number(.configurationVersion)]
            }
            await gate.arrival()
            try await store.write { try await $0.properties.set(.configurationVersion, to: 2) }
            gate.open()
            #expect(try await states == [1, 1])
            #expect(try await store.read { try await $0.properties.number(.configurationVersion) } == 2)
        }
    }

    @Test(arguments: StoreEngine.allCases) func configurationsAndCollectionsHaveNumbers(on engine: StoreEngine)
        async throws
    {
        try await engine.run { store in
            #expect(try await store.read { try await $0.configuration() } == nil)
            let times = ConfigurationTimes(created: "then", updated: "now")
            try await store.write {
                try await $0.setConfiguration(StoredConfiguration(json: ["a": 1], number: 3, times: times))
            }
            let stored = try await store.read { try await $0.configuration() }
            #expect(stored?.json == ["a": 1] && stored?.number == 3 && stored?.times == times)
            let names = [
                try CollectionName(scope: "s", name: "a"), try CollectionName(scope: "s", name: "A"),
                try CollectionName(scope: "t", name: "a"),
            ]
            let numbers = try await Self.numbers(of: names, in: store)
            #expect(Set(numbers).count == 3)
            #expect(
                try await Self.numbers(of: names, in: store) == numbers)
            #expect(try await store.read { try await $0.collection(numbers[1]) } == names[1])
            #expect(try await store.read { try await $0.collections() }.count == 3)
        }
    }

    private static func numbers(of names: [CollectionName], in store: any GatewayStore) async throws -> [Int64] {
        try await store.write { transaction in
            var numbers: [Int64] = []
            for name in names { numbers.append(try await transaction.number(of: name)) }
            return numbers
        }
    }

    /// A write must see the changes of the others in the same commit; later ones get them by the commit's event.
    @Test(arguments: StoreEngine.allCases)
    func aChangeOfAPrincipalIsSeenByLaterWrites(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let before = store.commits.principalCommits
            let seen = try await store.write { transaction in
                transaction.noteChange(ofPrincipal: "ann")
                return transaction.hasChanged(principal: "ann")
            }
            #expect(!seen, "of itself a write knows without asking")
            #expect(store.commits.mayHaveChanged(principals: ["ann"], after: before))
            #expect(!store.commits.mayHaveChanged(principals: ["bob"], after: before))
            await #expect(throws: Refused.self) {
                try await store.write { transaction in
                    transaction.noteChange(ofPrincipal: "bob")
                    throw Refused()
                }
            }
            #expect(!store.commits.mayHaveChanged(principals: ["bob"], after: before))
        }
    }

    /// A connection that read the user before the commit, and begins to wait after it, must not miss the change.
    @Test(arguments: StoreEngine.allCases)
    func aChangeOfAPrincipalHasASequence(on engine: StoreEngine) async throws {
        try await engine.run { store in
            _ = try await store.write { try await $0.nextSequence() }
            let before = store.commits.lastSequence
            try await store.write { $0.noteChange(ofPrincipal: "ann") }
            #expect(store.commits.lastSequence == before + 1)
            #expect(store.commits.mayHaveChanged(.principal("ann"), after: before))
            try await store.commits.wait(for: [.principal("ann")], after: before, epoch: store.commits.epoch)
            let sequence = try await store.write { transaction in
                let sequence = try await transaction.nextSequence()
                transaction.noteChange(ofPrincipal: "ann")
                return sequence
            }
            #expect(sequence == before + 2 && store.commits.lastSequence == sequence, "it takes no second one")
            #expect(store.commits.mayHaveChanged(.principal("ann"), after: before + 1))
        }
    }

    @Test(arguments: StoreEngine.allCases) func sequencesAreTakenTogether(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let taken = try await store.write { transaction in
                let first = try await transaction.nextSequences(3)
                let none = try await transaction.nextSequences(0)
                return [first, none, try await transaction.nextSequences(1)]
            }
            #expect(taken == [1..<4, 4..<4, 4..<5])
            #expect(store.commits.lastSequence == 4)
        }
    }
}
