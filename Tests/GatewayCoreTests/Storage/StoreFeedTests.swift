import DocumentValues
import Testing

@testable import GatewayCore

/// The channels' lists.
@Suite(.timeLimit(.minutes(1))) struct StoreFeedTests {
    private struct Row: Equatable {
        let sequence: UInt64
        let id: String
        var isRemoval = false
        var isDeleted = false
    }

    private static func rows(
        of channel: Name, in store: any GatewayStore, after sequence: UInt64 = 0, through end: UInt64 = 1_000,
        limit: Int = 100, wanted: ChannelPart.Wanted = .all
    ) async throws -> [Row]? {
        let part = ChannelPart(
            ChannelKey(collection: 1, channel: channel), after: sequence, through: end, limit: limit, wanted: wanted)
        return try await store.read { try await $0.feed.page(part) }?.rows.map { row, _ in
            Row(sequence: row.sequence, id: row.id, isRemoval: row.isRemoval, isDeleted: row.isDeleted)
        }
    }

    private static func insert(
        _ ids: [String], in channel: Name, of store: any GatewayStore
    ) async throws -> [Int64] {
        try await store.write { transaction in
            var numbers: [Int64] = []
            for id in ids {
                let row = DocumentRow.test(.test(1), at: try await transaction.nextSequence(), channels: [channel])
                numbers.append(try await transaction.documents.insert(row, id: id, in: 1))
            }
            return numbers
        }
    }

    @Test(arguments: StoreEngine.allCases) func aListIsReadInItsOrderAndInParts(on engine: StoreEngine) async throws {
        try await engine.run { store in
            _ = try await Self.insert(["a", "b", "c"], in: "x", of: store)
            #expect(
                try await Self.rows(of: "x", in: store) == [
                    Row(sequence: 1, id: "a"), Row(sequence: 2, id: "b"), Row(sequence: 3, id: "c"),
                ])
            #expect(try await Self.rows(of: "x", in: store, after: 1, limit: 1) == [Row(sequence: 2, id: "b")])
            #expect(try await Self.rows(of: "x", in: store, through: 2)?.count == 2)
            #expect(try await Self.rows(of: "*", in: store)?.map(\.id) == ["a", "b", "c"])
            #expect(try await Self.rows(of: "none", in: store) ?? [] == [])
        }
    }

    /// Two letters that look alike are two channels.
    @Test(arguments: StoreEngine.allCases) func channelsAreComparedByTheirBytes(on engine: StoreEngine) async throws {
        try await engine.run { store in
            _ = try await Self.insert(["a"], in: "caf\u{E9}", of: store)
            _ = try await Self.insert(["b"], in: "cafe\u{301}", of: store)
            #expect(try await Self.rows(of: "caf\u{E9}", in: store)?.map(\.id) == ["a"])
            #expect(try await Self.rows(of: "cafe\u{301}", in: store)?.map(\.id) == ["b"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func whatLeavesAChannelIsARemoval(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let number = try #require(try await Self.insert(["a"], in: "x", of: store).first)
            try await store.write { transaction in
                let row = DocumentRow.test(.test(2), at: try await transaction.nextSequence(), isDeleted: true)
                try await transaction.documents.replace(number: number, at: 1, with: row, leaving: ["x"], in: 1)
            }
            #expect(
                try await Self.rows(of: "x", in: store) == [Row(sequence: 2, id: "a", isRemoval: true, isDeleted: true)]
            )
            #expect(try await Self.rows(of: "*", in: store) == [Row(sequence: 2, id: "a", isDeleted: true)])
            let (there, other) = (
                ChannelEntry(channel: "x", sequence: 2), ChannelEntry(channel: "x", sequence: 1)
            )
            let elsewhere = ChannelEntry(channel: "none", sequence: 2)
            let deletions = try await store.read {
                try await $0.feed.deletions(among: [there, other, elsewhere], in: 1)
            }
            #expect(deletions == [there])
            try await store.write { try await $0.feed(of: 1).delete([elsewhere]) }
            #expect(try await Self.rows(of: "none", in: store) ?? [] == [], "looking for a channel makes none")
            try await store.write { try await $0.feed(of: 1).delete([there]) }
            #expect(try await Self.rows(of: "x", in: store) == [])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aCommitIsAnEventWithItsChannels(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let key = ChannelKey(collection: 1, channel: "x")
            #expect(store.commits.lastSequence == 0)
            _ = try await Self.insert(["a", "b"], in: "x", of: store)
            #expect(store.commits.lastSequence == 2 && store.commits.mayHaveChanged(.channel(key), after: 1))
            #expect(!store.commits.mayHaveChanged(.channel(key), after: 2))
            #expect(!store.commits.mayHaveChanged(.channel(ChannelKey(collection: 2, channel: "x")), after: 0))
        }
    }
}
