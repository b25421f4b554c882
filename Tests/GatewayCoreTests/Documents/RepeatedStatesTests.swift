import DocumentValues
import Testing

@testable import GatewayCore

/// A document that a request names more than once is read once, as long as nobody changes it.
@Suite(.timeLimit(.minutes(1))) struct RepeatedStatesTests {
    private static func insert(_ ids: [String], in store: any GatewayStore) async throws {
        try await store.write { transaction in
            for id in ids {
                let row = DocumentRow.test(.test(1), at: try await transaction.nextSequence())
                try await transaction.documents.insert(row, id: id, in: 1)
            }
        }
    }

    private static func sequences(
        of ids: [String], known states: RepeatedStates, in store: any GatewayStore
    ) async throws -> [UInt64?] {
        try await store.read { reader in
            var found = [UInt64?](repeating: nil, count: ids.count)
            try await states.forEach(of: ids, in: 1, from: reader) { found[$0] = $1?.stored.sequence }
            return found
        }
    }

    @Test func whatIsKnownIsNotReadAgain() async throws {
        try await StoreEngine.roundTrips.run { store in
            let trips = try #require(store as? RoundTripStore).trips
            try await Self.insert(["a", "b", "c"], in: store)
            let states = RepeatedStates(["a", "none"])
            _ = trips.take()
            #expect(try await Self.sequences(of: ["b", "a", "none"], known: states, in: store) == [2, 1, nil])
            #expect(trips.take() == ["documents.forEachState"])
            #expect(try await Self.sequences(of: ["a"], known: states, in: store) == [1])
            #expect(trips.take() == ["documents.sequences"], "it is what it was")
            #expect(try await Self.sequences(of: ["c", "a"], known: states, in: store) == [3, 1])
            #expect(trips.take() == ["documents.sequences", "documents.forEachState"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func whatChangedIsReadAgain(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await Self.insert(["a"], in: store)
            let states = RepeatedStates(["a"])
            #expect(try await Self.sequences(of: ["a"], known: states, in: store) == [1])
            try await store.write { transaction in
                let number = try await transaction.reader.documents.number(of: "a", in: 1) ?? 0
                let row = DocumentRow.test(.test(2), at: try await transaction.nextSequence())
                try await transaction.documents.replace(number: number, at: 1, with: row, in: 1)
            }
            #expect(try await Self.sequences(of: ["a"], known: states, in: store) == [2])
            try await store.write { transaction in
                try await transaction.documents.delete(
                    number: try await transaction.reader.documents.number(of: "a", in: 1) ?? 0)
            }
            #expect(try await Self.sequences(of: ["a"], known: states, in: store) == [nil])
        }
    }

    @Test func aFewAreReadInPlace() async throws {
        try await StoreEngine.sqlite.run { store in
            try await Self.insert(["a", "b"], in: store)
            let inPlace = try #require(store.inPlace)
            let states = RepeatedStates(["a"])
            for _ in 0..<2 {
                let found = try states.states(of: ["a", "b", "none"], in: 1, from: inPlace)
                #expect(found?.map { $0?.stored.sequence } == [1, 2, nil])
            }
            try await store.write { transaction in
                let body = #"{"a":""# + String(repeating: "x", count: GatewayLimits.bytesReadInPlace) + #""}"#
                let row = DocumentRow.test(.test(1), at: try await transaction.nextSequence(), body: body)
                try await transaction.documents.insert(row, id: "large", in: 1)
            }
            #expect(try states.states(of: ["a", "large"], in: 1, from: inPlace) == nil)
        }
    }
}
