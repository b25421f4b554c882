import DocumentValues
import Testing

@testable import GatewayCore

/// The reports of a user's feed when access is gained and lost.
@Suite(.timeLimit(.minutes(1))) struct FeedTests {
    private static let ann = Requester.user("ann")

    @Test(arguments: StoreEngine.allCases) func accessThatIsGainedBringsWhatIsOlder(on engine: StoreEngine) async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x"])  // 1
            try await test.put("old", ["channels": ["y"]])  // 2
            try await test.put("own", ["channels": ["x"]])  // 3
            #expect(try await test.feed(Self.ann) == ["3 own"])
            try await test.put("g", ["access": ["ann": ["y"]]])  // 4
            try await test.put("new", ["channels": ["y"]])  // 5
            #expect(try await test.feed(Self.ann, since: SequenceID(3)) == ["4:2 old", "5 new"])
            // A client that was interrupted after the old document goes on from there.
            #expect(try await test.feed(Self.ann, since: SequenceID(2, triggeredBy: 4)) == ["5 new"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aLostChannelIsRevoked(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x", "y"])  // 1
            try await test.put("a", ["channels": ["x"]])  // 2
            try await test.put("both", ["channels": ["x", "y"]])  // 3
            try await test.grant("ann", channels: ["y"])  // 4
            #expect(try await test.feed(Self.ann, since: SequenceID(3)) == ["4:2 -a"])
            #expect(try await test.feed(Self.ann, since: SequenceID(4)) == [])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aLostRoleAndARoleThatLosesItsChannel(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putRole("r", channels: ["x"])  // 1
            try await test.putRole("s", channels: ["y"])  // 2
            try await test.putUser("ann", roles: ["r", "s"])  // 3
            try await test.put("a", ["channels": ["x"]])  // 4
            try await test.put("b", ["channels": ["y"]])  // 5
            try await test.grant("ann", roles: ["s"])  // 6
            try await test.putRole("s", channels: [])  // 7
            #expect(try await test.feed(Self.ann, since: SequenceID(5)) == ["6:4 -a", "7:5 -b"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aDeletedRoleIsRevoked(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putRole("r", channels: ["x"])  // 1
            try await test.putUser("ann", roles: ["r"])  // 2
            try await test.put("a", ["channels": ["x"]])  // 3
            try await test.database.principals.deleteRole("r")  // 4
            #expect(try await test.feed(Self.ann, since: SequenceID(3)) == ["4:3 -a"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aDocumentThatLeavesTheChannels(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x", "y"])  // 1
            try await test.put("a", ["channels": ["x"]])  // 2
            try await test.put("b", ["channels": ["x"]])  // 3
            try await test.put("a", ["channels": ["z"]])  // 4
            try await test.put("b", ["channels": ["y"]])  // 5
            #expect(try await test.feed(Self.ann, since: SequenceID(3)) == ["4 -a", "5 b"])
            try await test.put("a", ["channels": ["x"]])  // 6
            #expect(try await test.feed(Self.ann) == ["5 b", "6 a"])
        }
    }

    /// The document is requested by its id. A user in both channels gets a row for the one that it left; a user who
    /// sees everything gets none.
    @Test(arguments: StoreEngine.allCases) func aDocumentThatMovesDoesNotGoFromAdministrators(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x", "y"])
            try await test.putUser("eve", channels: ["*"])
            try await test.put("a", ["channels": ["x"]])
            try await test.put("a", ["channels": ["y"]])
            let request = ChangesRequest(collection: TestDatabase.collection, documentIDs: ["a"])
            #expect(try await test.changes(request).map(\.removed) == [[]])
            #expect(try await test.changes(request, as: .user("eve")).map(\.removed) == [[]])
            #expect(try await test.changes(request, as: Self.ann).map(\.removed) == [["x"]])
        }
    }

    /// A laptop on which a deletion wins a conflict deletes once more. The new tombstone is in no channel either. It
    /// still has to reach the clients that have the old one, or they could never push a document that is made again on
    /// top of it.
    @Test(arguments: StoreEngine.allCases) func aTombstoneOnATombstoneReachesWhoWasSentTheFirst(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x"])  // 1
            try await test.putUser("eve", channels: ["y"])  // 2
            try await test.put("d", ["channels": ["x"]])  // 3
            let first = try await test.delete("d").revision.description  // 4
            try await test.push("d", "4-b", ["3-a", first], isDeleted: true)  // 5
            #expect(try await test.feed(Self.ann, since: SequenceID(4)) == ["5 -d"])
            try await test.push("d", "5-c", ["4-b"], isDeleted: true)  // 6
            #expect(try await test.feed(Self.ann) == ["6 -d"], "in one place only")
            #expect(try await test.feed(.user("eve")) == [])
            try await test.push("d", "6-d", ["5-c"], ["channels": ["x"]], as: Self.ann)  // 7
            #expect(try await test.feed(Self.ann) == ["7 d"])
        }
    }

    /// Between the two deletions the document was in a channel that its first readers do not see.
    @Test(arguments: StoreEngine.allCases) func aDeletionElsewhereReachesWhoHasAnOlderTombstone(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x"])  // 1
            try await test.putUser("eve", channels: ["y", "z"])  // 2
            try await test.put("d", ["channels": ["x", "y"]])  // 3
            try await test.put("d", ["channels": ["x"]])  // 4
            try await test.delete("d")  // 5
            try await test.put("d", ["channels": ["z"]])  // 6
            #expect(try await test.feed(Self.ann, since: SequenceID(3)) == ["5 -d"])
            try await test.delete("d")  // 7
            #expect(try await test.feed(Self.ann, since: SequenceID(5)) == ["7 -d"])
            #expect(try await test.feed(.user("eve"), since: SequenceID(6)) == ["7 -d"])
            #expect(try await test.count(.entries) == 3, "x and z have the tombstone, y has the removal")
        }
    }

    /// The channel was lost and regained between the two tombstones.
    @Test(arguments: [1, 100]) func aTombstoneOnATombstoneWhileTheChannelWasLost(limit: Int) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann", channels: ["x"])  // 1
            try await test.put("d", ["channels": ["x"]])  // 2
            let first = try await test.delete("d").revision.description  // 3
            try await test.grant("ann", channels: [])  // 4
            try await test.push("d", "4-b", ["3-a", first], isDeleted: true)  // 5
            #expect(try await test.feed(Self.ann, since: SequenceID(3), limit: limit) == ["4:5 -d"])
            try await test.grant("ann", channels: ["x"])  // 6
            #expect(try await test.feed(Self.ann, since: SequenceID(4), limit: limit) == ["5 -d"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func awayThroughLossAndRegain(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x"])  // 1
            try await test.put("stays", ["channels": ["x"]])  // 2
            try await test.put("goes", ["channels": ["x"]])  // 3
            try await test.grant("ann", channels: [])  // 4
            try await test.put("goes", ["channels": ["z"]])  // 5
            try await test.put("comes", ["channels": ["x"]])  // 6
            try await test.grant("ann", channels: ["x"])  // 7
            #expect(try await test.feed(Self.ann, since: SequenceID(3)) == ["5 -goes", "7:2 stays", "7:6 comes"])
        }
    }

    /// In pages of any size: nothing is reported twice, and no tombstone that the user can still see is
    /// revoked.
    @Test(arguments: [1, 2, 3, 100])
    func everythingComesAndGoes(limit: Int) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann", channels: ["x"])  // 1
            try await test.put("stays", ["channels": ["x"]])  // 2
            try await test.put("goes", ["channels": ["x"]])  // 3
            try await test.put("goes", ["channels": ["y"]])  // 4
            try await test.put("dead", ["channels": ["x"]])  // 5
            try await test.put("dead", ["channels": ["x"], "_deleted": true])  // 6
            try await test.put("nowhere", ["channels": ["x"]])  // 7
            try await test.delete("nowhere")  // 8
            try await test.put("late", ["channels": ["x"]])  // 9
            try await test.grant("ann", channels: ["*"])  // 10
            let all = ["10:2 stays", "10:4 goes", "10:9 late"]
            #expect(try await test.feed(Self.ann, since: SequenceID(9), limit: limit) == all)
            try await test.put("late", ["channels": ["y"]])  // 11
            try await test.grant("ann", channels: ["x"])  // 12
            let since = SequenceID(11)
            #expect(
                try await test.feed(Self.ann, since: since, revocations: false, limit: limit)
                    == ["12:2 stays"])
            #expect(
                try await test.feed(Self.ann, since: since, limit: limit)
                    == ["12:2 stays", "12:4 -goes", "12:8 -nowhere", "12:11 -late"])
            // A client that was away all the time.
            #expect(
                try await test.feed(Self.ann, since: SequenceID(3), revocations: false, limit: limit)
                    == ["4 -goes", "6 -dead", "8 -nowhere", "11 -late", "12:2 stays"])
        }
    }

    /// The lists have many irrelevant rows between the few relevant ones.
    @Test(arguments: StoreEngine.allCases) func aLongListWithLittleToReportIsReadInSmallPieces(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x", "y"])  // 1
            try await test.put("first", ["channels": ["x"]])  // 2
            for number in 0..<600 { try await test.put("d\(number)", ["channels": ["x"]]) }  // 3...602
            try await test.delete("first")  // 603
            try await test.put("own", ["channels": ["y"]])  // 604
            try await test.grant("ann", channels: ["y"])  // 605
            try await test.put("d0", ["channels": ["y"]])  // 606
            try await test.grant("ann", channels: ["x", "y"])  // 607
            let rows = try await test.feed(Self.ann, since: SequenceID(2))
            #expect(rows.prefix(3) == ["603 -first", "604 own", "606 d0"])
            #expect(rows.count == 3 + 599)
            let request = ChangesRequest(collection: TestDatabase.collection, since: SequenceID(2), revocations: true)
            let whole = try await test.changes(request, as: Self.ann)
            #expect(try await test.pages(of: 50, request, as: Self.ann) == whole)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aTombstoneReachesThoseWhoHadTheDocument(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["x"])  // 1
            try await test.put("a", ["channels": ["x"]])  // 2
            try await test.delete("a")  // 3
            let rows = try await test.changes(
                ChangesRequest(collection: TestDatabase.collection, since: SequenceID(2)), as: Self.ann)
            #expect(rows.map(\.isDeleted) == [true])
            #expect(rows.first?.removed == ["x"])
        }
    }

    /// - Parameter others: channels beside `x`; of many the feed waits for its whole collection.
    @Test(arguments: [0, GatewayLimits.topicsOfFeed])
    func aFeedWakesForWhatItsUserMaySeeAndForAccess(others: Int) async throws {
        try await TestDatabase.run { test in
            let more = (0..<others).map { "more \($0)" }
            try await test.putUser("ann", channels: ["x"] + more)
            let request = ChangesRequest(collection: TestDatabase.collection, revocations: true)
            let feed = try test.database.feeds.changes(request, as: Self.ann)
            func news(after change: @Sendable @escaping () async throws -> Void) async throws -> [String] {
                _ = try await feed.next(limit: .max)
                async let waiting: Void = feed.waitForChanges()
                try await change()
                try await waiting
                return try await feed.next(limit: .max).rows.map { "\($0.id)" }
            }
            #expect(try await news { try await test.put("a", ["channels": ["x"]]) } == ["a"])
            try await test.put("hidden", ["channels": ["y"]])
            #expect(try await news { try await test.grant("ann", channels: ["x", "y"] + more) } == ["hidden"])
            #expect(try await news { try await test.grant("ann", channels: ["x"] + more) } == ["hidden"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aFeedEndsWhenTheDatabaseGoesOffline(on engine: StoreEngine) async throws
    {
        try await TestDatabase.run(on: engine) { test in
            let request = ChangesRequest(collection: TestDatabase.collection)
            let feed = try test.database.feeds.changes(request, as: .admin)
            _ = try await feed.next(limit: 10)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: GatewayError.underMaintenance) { try await feed.waitForChanges() }
                }
                group.addTask { test.database.goOffline() }
            }
            await #expect(throws: GatewayError.underMaintenance) { _ = try await feed.next(limit: 10) }
            await #expect(throws: GatewayError.underMaintenance) { try await test.put("a", [:]) }
            try test.database.goOnline()
            try await test.put("a", [:])
        }
    }

    @Test(arguments: StoreEngine.allCases) func aFeedInSmallPiecesIsTheSameFeed(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann", channels: ["c0", "c1"])
            for number in 0..<40 { try await test.put("d\(number)", ["channels": [.string("c\(number % 3)")]]) }
            let request = ChangesRequest(collection: TestDatabase.collection)
            let whole = try await test.changes(request, as: Self.ann)
            let feed = try test.database.feeds.changes(request, as: Self.ann)
            var pieces: [FeedRow] = []
            while true {
                let batch = try await feed.next(limit: 3)
                pieces += batch.rows
                if batch.isCaughtUp { break }
            }
            #expect(pieces == whole)
            #expect(whole.count == 27)
        }
    }
}
