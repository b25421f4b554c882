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
        of channel: Name, in store: GatewayStore, after sequence: UInt64 = 0, through end: UInt64 = 1_000,
        limit: Int = 100
    ) async throws -> [Row]? {
        try await store.read { store in
            var rows: [Row] = []
            let count = try store.feed.forEach(
                in: ChannelKey(collection: 1, channel: channel), after: sequence, through: end, limit: limit
            ) { row in
                rows.append(
                    Row(sequence: row.sequence, id: row.id, isRemoval: row.isRemoval, isDeleted: row.isDeleted))
            }
            return count == nil ? nil : rows
        }
    }

    private static func insert(_ ids: [String], in channel: Name, of store: GatewayStore) async throws -> [Int64] {
        try await store.write { transaction in
            try ids.map { id in
                let sequence = transaction.nextSequence()
                let number = try transaction.documents.insert(
                    .test(.test(1), at: sequence, channels: [channel]), id: id, in: 1)
                try transaction.feed(of: 1).replace(
                    in: channel, at: nil, with: FeedWrites.Entry(document: number, sequence: sequence, removal: nil))
                return number
            }
        }
    }

    @Test func aListIsReadInItsOrderAndInParts() async throws {
        try await StoreUnderTest.run { store in
            _ = try await Self.insert(["a", "b", "c"], in: "x", of: store)
            #expect(
                try await Self.rows(of: "x", in: store) == [
                    Row(sequence: 1, id: "a"), Row(sequence: 2, id: "b"), Row(sequence: 3, id: "c"),
                ])
            #expect(try await Self.rows(of: "x", in: store, after: 1, limit: 1) == [Row(sequence: 2, id: "b")])
            #expect(try await Self.rows(of: "x", in: store, through: 2)?.count == 2)
            #expect(try await Self.rows(of: "*", in: store)?.map(\.id) == ["a", "b", "c"])
            #expect(try await Self.rows(of: "none", in: store) == nil)
        }
    }

    /// Two letters that look alike are two channels.
    @Test func channelsAreComparedByTheirBytes() async throws {
        try await StoreUnderTest.run { store in
            _ = try await Self.insert(["a"], in: "caf\u{E9}", of: store)
            _ = try await Self.insert(["b"], in: "cafe\u{301}", of: store)
            #expect(try await Self.rows(of: "caf\u{E9}", in: store)?.map(\.id) == ["a"])
            #expect(try await Self.rows(of: "cafe\u{301}", in: store)?.map(\.id) == ["b"])
        }
    }

    @Test func whatLeavesAChannelIsARemoval() async throws {
        try await StoreUnderTest.run { store in
            let number = try #require(try await Self.insert(["a"], in: "x", of: store).first)
            try await store.write { transaction in
                let sequence = transaction.nextSequence()
                try transaction.documents.replace(number: number, with: .test(.test(2), at: sequence))
                let removal = FeedWrites.Entry.Removal(revision: .test(2), isDeleted: true)
                try transaction.feed(of: 1).replace(
                    in: "x", at: 1, with: FeedWrites.Entry(document: number, sequence: sequence, removal: removal))
            }
            #expect(
                try await Self.rows(of: "x", in: store) == [Row(sequence: 2, id: "a", isRemoval: true, isDeleted: true)]
            )
            #expect(try await Self.rows(of: "*", in: store) == [Row(sequence: 2, id: "a")])
            let isDeletion = try await store.write { transaction in
                try transaction.feed(of: 1).isDeletion(in: "x", at: 2)
            }
            #expect(isDeletion)
            try await store.write { try $0.feed(of: 1).delete(in: "x", at: 2) }
            #expect(try await Self.rows(of: "x", in: store) == [])
        }
    }

    @Test func aCommitIsAnEventWithItsChannels() async throws {
        try await StoreUnderTest.run { store in
            let key = ChannelKey(collection: 1, channel: "x")
            #expect(store.commits.lastSequence == 0)
            _ = try await Self.insert(["a", "b"], in: "x", of: store)
            #expect(store.commits.lastSequence == 2 && store.commits.mayHaveChanged(.channel(key), after: 1))
            #expect(!store.commits.mayHaveChanged(.channel(key), after: 2))
            #expect(!store.commits.mayHaveChanged(.channel(ChannelKey(collection: 2, channel: "x")), after: 0))
        }
    }
}
