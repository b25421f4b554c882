import Dispatch
import DocumentValues
import Testing

@testable import GatewayCore

/// What a write is: whole or not at all, durable when it returns, and in the order of its sequence.
@Suite(.timeLimit(.minutes(1))) struct StoreTransactionTests {
    private struct Refused: Error {}

    @Test func aThrowUndoesItsOwnWriteAlone() async throws {
        try await StoreUnderTest.run { store in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        do {
                            try await store.write { transaction in
                                _ = try transaction.documents.insert(
                                    .test(.test(1), at: transaction.nextSequence()), id: "d\(number)", in: 1)
                                transaction.feed(of: 1).noteChange(of: Name("c\(number)"), at: transaction.lastSequence)
                                if number % 4 == 0 { throw Refused() }
                            }
                            return true
                        } catch { return false }
                    }
                }
                return await group.reduce(into: [Bool: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(outcomes == [true: 30, false: 10])
            let ids = try await store.read { try $0.documents.page(in: 1, after: 0, limit: 100) }.map(\.id)
            #expect(ids.count == 30 && !ids.contains("d0") && ids.contains("d1"))
            func hasChanged(_ channel: Name) -> Bool {
                store.commits.mayHaveChanged(.channel(ChannelKey(collection: 1, channel: channel)), after: 0)
            }
            #expect(hasChanged("c1") && !hasChanged("c0"), "what was undone is no event")
        }
    }

    @Test func sequencesGoOnAfterItWasClosed() async throws {
        try await StoreUnderTest.inFolder { path in
            let first = try StoreUnderTest.open(path)
            #expect(try await first.write { [$0.nextSequence(), $0.nextSequence()] } == [1, 2])
            try first.close()
            let second = try StoreUnderTest.open(path)
            #expect(second.commits.lastSequence == 2)
            #expect(try await second.write { $0.nextSequence() } == 3)
            try second.close()
        }
    }

    @Test func aReaderSeesOneState() async throws {
        try await StoreUnderTest.run { store in
            try await store.write { try $0.properties.set(.configurationVersion, to: 1) }
            let (hasRead, isWritten) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let states = store.read { reader in
                let before = try reader.properties.number(.configurationVersion)
                hasRead.signal()
                isWritten.wait()
                return [before, try reader.properties.number(.configurationVersion)]
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    hasRead.wait()
                    continuation.resume()
                }
            }
            try await store.write { try $0.properties.set(.configurationVersion, to: 2) }
            isWritten.signal()
            #expect(try await states == [1, 1])
            #expect(try await store.read { try $0.properties.number(.configurationVersion) } == 2)
        }
    }

    @Test func configurationsAndCollectionsHaveNumbers() async throws {
        try await StoreUnderTest.run { store in
            #expect(try await store.read { try $0.configuration() } == nil)
            let times = ConfigurationTimes(created: "then", updated: "now")
            try await store.write {
                try $0.setConfiguration(StoredConfiguration(json: ["a": 1], number: 3, times: times))
            }
            let stored = try await store.read { try $0.configuration() }
            #expect(stored?.json == ["a": 1] && stored?.number == 3 && stored?.times == times)
            let names = [
                try CollectionName(scope: "s", name: "a"), try CollectionName(scope: "s", name: "A"),
                try CollectionName(scope: "t", name: "a"),
            ]
            let numbers = try await store.write { transaction in try names.map { try transaction.number(of: $0) } }
            #expect(Set(numbers).count == 3)
            #expect(
                try await store.write { transaction in try names.map { try transaction.number(of: $0) } } == numbers)
            #expect(try await store.read { try $0.collection(numbers[1]) } == names[1])
            #expect(try await store.read { try $0.collections() }.count == 3)
        }
    }
}
