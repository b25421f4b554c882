import DocumentValues
import Testing

@testable import GatewayCore

/// Sequences, shared commits, and the state after a restart.
@Suite(.timeLimit(.minutes(1))) struct SequenceTests {
    @Test func sequencesNeverGoBack() async throws {
        try await TestDatabase.run { test in
            try await test.put("a", [:])
            let last = try #require(try await test.put("b", [:]).sequence)
            // No remaining row of the file has the last sequence.
            _ = try await test.database.documents.purge(["b"], in: TestDatabase.collection)
            try await test.reopen()
            #expect(test.database.lastSequence == last)
            #expect(try await test.put("c", [:]).sequence == last + 1)
            try await test.putUser("ann")
            try await test.reopen()
            #expect(test.database.lastSequence == last + 2)
        }
    }

    @Test func whatIsAcknowledgedOutlivesTheProcess() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann", channels: ["c"])
            try await test.put("a", ["channels": ["c"]])
            try await test.put("a", ["channels": ["d"]])
            let before = try await test.feed(.user("ann"))
            try await test.reopen()
            #expect(try await test.feed(.user("ann")) == before)
            #expect(before.last?.hasSuffix("-a") == true)
            #expect(
                try await test.database.principals.authenticate(name: "ann", password: "letmein").requester
                    == .user("ann"))
        }
    }

    @Test func writesAtTheSameTimeGetSequencesWithoutGaps() async throws {
        try await TestDatabase.run { test in
            let sequences = try await withThrowingTaskGroup(of: UInt64?.self) { group in
                for number in 0..<200 {
                    group.addTask { try await test.put("doc\(number)", ["n": .int(number)]).sequence }
                }
                var sequences: [UInt64] = []
                for try await sequence in group { sequences.append(try #require(sequence)) }
                return sequences
            }
            #expect(sequences.sorted() == Array(1...200))
            #expect(try await test.feed().count == 200)
        }
    }

    @Test func ofManyEditsOfOneRevisionOneWins() async throws {
        try await TestDatabase.run { test in
            let first = try await test.put("a", ["n": 0]).revision.description
            let results = await withTaskGroup(of: Bool.self) { group in
                for number in 1...20 {
                    group.addTask {
                        do {
                            try await test.put("a", ["n": .int(number)], replacing: first)
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(results == 1)
            #expect(test.database.lastSequence == 2)
        }
    }

    @Test func aWriteThatFailsTakesNoOtherWithIt() async throws {
        try await TestDatabase.run { test in
            let store = test.database.store
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        do {
                            try await store.write { transaction in
                                try await transaction.properties.set(StoreProperty(name: "test-\(number)"), to: [1])
                                if number % 2 == 1 { throw GatewayError(400, reason: "on purpose") }
                            }
                        } catch let error as GatewayError where error.status == 400 {}
                    }
                }
                try await group.waitForAll()
            }
            let kept = try await store.read { store in
                var kept: [Int] = []
                for number in 0..<40 {
                    let bytes = try await store.properties.bytes(StoreProperty(name: "test-\(number)"))
                    if bytes != nil { kept.append(number) }
                }
                return kept
            }
            #expect(kept == (0..<40).filter { $0 % 2 == 0 })
        }
    }

    @Test func aBatchStoresEachDocumentOnItsOwn() async throws {
        try await TestDatabase.run { test in
            let writes = ["a", "_bad", "b", "a"].map { DocumentWrite(id: $0, body: Array("{}".utf8)) }
            let results = await test.database.documents.write(writes, in: TestDatabase.collection, as: .admin)
            let statuses = results.map { result -> Int in
                switch result {
                case .success: 201
                case .failure(let error): error.status
                }
            }
            #expect(statuses == [201, 400, 201, 409])
        }
    }
}
