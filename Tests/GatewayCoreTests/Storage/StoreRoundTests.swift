import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// Calls for many at once: the documents of a round, a part of a channel's list.
@Suite(.timeLimit(.minutes(1))) struct StoreRoundTests {
    private static func part(
        of channel: Name, through end: UInt64 = 1_000, after start: UInt64 = 0, limit: Int = 100,
        wanted: ChannelPart.Wanted = .all, includesChannels: Bool = false
    ) -> ChannelPart {
        ChannelPart(
            ChannelKey(collection: 1, channel: channel), after: start, through: end, limit: limit, wanted: wanted,
            includesChannels: includesChannels)
    }

    private static func change(
        _ id: String, at sequence: UInt64, in channels: Set<Name>
    ) -> DocumentRowChange {
        DocumentRowChange(
            target: .new(id: id), row: .test(.test(1), at: sequence, channels: channels),
            entries: .test(entered: channels))
    }

    private static func ids(in channel: Name, of store: any GatewayStore) async throws -> [String] {
        try await store.read { try await $0.feed.page(part(of: channel)) }?.rows.map(\.row.id) ?? []
    }

    @Test(arguments: StoreEngine.allCases) func aRoundIsStoredInItsOrder(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let numbers = try await store.write { transaction in
                let sequences = try await transaction.nextSequences(3)
                let changes = zip(["a", "b", "c"], sequences).map { id, sequence in
                    Self.change(id, at: sequence, in: id == "b" ? ["x", "y"] : ["x"])
                }
                return try await transaction.documents.put(changes, in: 1)
            }
            #expect(Set(numbers).count == 3)
            #expect(try await Self.ids(in: "x", of: store) == ["a", "b", "c"])
            #expect(try await Self.ids(in: "y", of: store) == ["b"])
            #expect(try await store.read { try await $0.documents.find(number: numbers[1]) }?.id == "b")
            func hasChanged(_ channel: Name) -> Bool {
                store.commits.mayHaveChanged(.channel(ChannelKey(collection: 1, channel: channel)), after: 0)
            }
            #expect(hasChanged("x") && hasChanged("y") && hasChanged("*") && !hasChanged("z"))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func newDocumentsAndOthersAreOneRound(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let first = try await store.write { transaction in
                try await transaction.documents.put(
                    [Self.change("a", at: try await transaction.nextSequence(), in: ["x", "y"])], in: 1)
            }
            let numbers = try await store.write { transaction in
                let sequences = Array(try await transaction.nextSequences(2))
                let row = DocumentRow.test(.test(2), at: sequences[0], channels: ["x"])
                let moved = DocumentRowChange(
                    target: .row(number: first[0], sequence: 1), row: row,
                    entries: .test(entered: ["x"], left: ["y"]))
                return try await transaction.documents.put(
                    [moved, Self.change("b", at: sequences[1], in: ["x"])], in: 1)
            }
            #expect(numbers[0] == first[0])
            #expect(try await Self.ids(in: "x", of: store) == ["a", "b"])
            let left = try await store.read { try await $0.feed.page(Self.part(of: "y")) }
            #expect(left?.rows.map(\.row.isRemoval) == [true] && left?.rows.first?.row.sequence == 2)
            #expect(left?.rows.first?.row.revision == RevisionID.test(2).description)
        }
    }

    /// The entry of a document's removal is deleted when the document returns.
    @Test(arguments: StoreEngine.allCases) func whatComesBackIsNoRemoval(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let number = try await store.write { transaction in
                try await transaction.documents.insert(
                    .test(.test(1), at: try await transaction.nextSequence(), channels: ["x"]), id: "a", in: 1)
            }
            try await store.write { transaction in
                let row = DocumentRow.test(.test(2), at: try await transaction.nextSequence())
                try await transaction.documents.replace(number: number, at: 1, with: row, leaving: ["x"], in: 1)
            }
            try await store.write { transaction in
                let row = DocumentRow.test(.test(3), at: try await transaction.nextSequence(), channels: ["x"])
                let removal = DocumentChannels.Removal(
                    channel: "x", span: SequenceSpan(start: 1, end: 2), isLatest: true)
                let entries = DocumentChannels.EntryChanges.test(entered: ["x"], replacedRemovals: [removal])
                let target = DocumentRowChange.Target.row(number: number, sequence: 2)
                _ = try await transaction.documents.put(
                    [DocumentRowChange(target: target, row: row, entries: entries)], in: 1)
            }
            let page = try await store.read { try await $0.feed.page(Self.part(of: "x")) }
            #expect(page?.rows.map(\.row.sequence) == [3] && page?.rows.first?.row.isRemoval == false)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aRoundThatFailsLeavesNothing(on engine: StoreEngine) async throws {
        try await engine.run { store in
            await #expect(throws: (any Error).self) {
                try await store.write { transaction in
                    let sequences = Array(try await transaction.nextSequences(2))
                    // A round must not have the same id twice.
                    _ = try await transaction.documents.put(
                        sequences.map { Self.change("a", at: $0, in: ["x"]) }, in: 1)
                }
            }
            let isEmpty = try await store.read { try await $0.documents.isEmpty(collection: 1) }
            #expect(isEmpty)
            #expect(try await Self.ids(in: "x", of: store) == [])
            #expect(!store.commits.mayHaveChanged(.anyChannel(of: 1), after: 0))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func whatIsNotStoredHasNoAccessToReplace(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let error = await #expect(throws: GatewayError.self) {
                try await store.write { transaction in
                    try await transaction.documents.replaceAccess(by: Self.change("a", at: 1, in: ["x"]), in: 1)
                }
            }
            #expect(error?.status == 500)
        }
    }

    @Test(arguments: StoreEngine.allCases) func statesComeWithTheirIndexes(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.write { transaction in
                let sequences = Array(try await transaction.nextSequences(2))
                _ = try await transaction.documents.put(
                    zip(["a", "b"], sequences).map { Self.change($0, at: $1, in: []) }, in: 1)
            }
            let found = try await store.read { store in
                var found: [Int: String?] = [:]
                try await store.documents.forEachState(of: ["b", "none", "a"], in: 1) { index, state in
                    found[index] = .some(state?.stored.id)
                }
                return found
            }
            #expect(found == [0: "b", 1: nil, 2: "a"])
            let trees = try await store.read { store in
                var trees: [Int] = []
                try await store.documents.forEachTree(of: ["a", "none", "a"], in: 1) { index, tree in
                    trees.append(tree == nil ? -1 : index)
                }
                return trees
            }
            #expect(trees == [0, -1, 2], "a request may name one twice")
        }
    }

    @Test(arguments: StoreEngine.allCases) func anErrorOfTheBodyEndsTheReading(on engine: StoreEngine) async throws {
        try await engine.run { store in
            await #expect(throws: GatewayError.missing) {
                try await store.read { store in
                    try await store.documents.forEachState(of: ["a", "b"], in: 1) { _, _ in throw GatewayError.missing }
                }
            }
            let isEmpty = try await store.read { try await $0.documents.isEmpty(collection: 1) }
            #expect(isEmpty, "the reader is free again")
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func channelsAreFoundByTheNumbersOfDocuments(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let numbers = try await store.write { transaction in
                let sequences = Array(try await transaction.nextSequences(2))
                return try await transaction.documents.put(
                    [Self.change("a", at: sequences[0], in: ["x"]), Self.change("b", at: sequences[1], in: [])], in: 1)
            }
            let channels = try await store.read { try await $0.documents.channels(of: numbers + [99]) }
            #expect(channels == [numbers[0]: DocumentChannels(current: ["x": 1]), numbers[1]: DocumentChannels()])
            #expect(try await store.read { try await $0.documents.channels(of: []) } == [:])
        }
    }

    // MARK: Parts of a list

    /// Writes one present document, one that was deleted, and one that left the channel.
    private static func fill(_ store: any GatewayStore) async throws {
        let numbers = try await store.write { transaction in
            let sequences = Array(try await transaction.nextSequences(3))
            return try await transaction.documents.put(
                zip(["there", "deleted", "left"], sequences).map { change($0, at: $1, in: ["x"]) }, in: 1)
        }
        try await store.write { transaction in
            let sequences = Array(try await transaction.nextSequences(2))
            let tombstone = DocumentRow.test(.test(2), at: sequences[0], isDeleted: true, body: "{}")
            try await transaction.documents.replace(number: numbers[1], at: 2, with: tombstone, leaving: ["x"], in: 1)
            let moved = DocumentRow.test(.test(2), at: sequences[1], channels: ["y"])
            try await transaction.documents.replace(number: numbers[2], at: 3, with: moved, leaving: ["x"], in: 1)
        }
    }

    private static func expected(of wanted: ChannelPart.Wanted) -> [String] {
        switch wanted {
        case .all: ["there", "deleted", "left"]
        case .present: ["there"]
        case .gone: ["deleted", "left"]
        }
    }

    @Test(arguments: StoreEngine.allCases, [ChannelPart.Wanted.all, .present, .gone])
    func aPartHasWhatIsWantedOfIt(on engine: StoreEngine, wanted: ChannelPart.Wanted) async throws {
        try await engine.run { store in
            try await Self.fill(store)
            let page = try await store.read { try await $0.feed.page(Self.part(of: "x", wanted: wanted)) }
            #expect(page?.rows.map(\.row.id) == Self.expected(of: wanted))
            // The last sequence that was read does not depend on that.
            #expect(page?.count == 3 && page?.lastSequence == 5)
            let short = try await store.read { store in
                try await store.feed.page(Self.part(of: "x", limit: 2, wanted: wanted))
            }
            #expect(short?.count == 2 && short?.lastSequence == 4)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func aPartComesWithTheChannelsOfItsDocuments(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await Self.fill(store)
            for channel in ["x", "*"] as [Name] {
                let page = try await store.read { store in
                    try await store.feed.page(Self.part(of: channel, includesChannels: true))
                }
                let found = page?.rows.map {
                    "\($0.row.id) \($0.channels?.current.keys.sorted().map(\.text).joined() ?? "unknown")"
                }
                #expect(found == ["there x", "deleted ", "left y"])
            }
            let without = try await store.read { try await $0.feed.page(Self.part(of: "x")) }
            #expect(without?.rows.allSatisfy { $0.channels == nil } == true)
        }
    }

    @Test(arguments: StoreEngine.allCases) func anEmptyPartHasNoRows(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await Self.fill(store)
            let empty = try await store.read { try await $0.feed.page(Self.part(of: "x", after: 5)) }
            #expect(empty?.count == 0 && empty?.lastSequence == nil && empty?.rows.isEmpty == true)
            let none = try await store.read { try await $0.feed.page(Self.part(of: "none")) }
            #expect(none?.count ?? 0 == 0 && none?.lastSequence == nil)
        }
    }
}
