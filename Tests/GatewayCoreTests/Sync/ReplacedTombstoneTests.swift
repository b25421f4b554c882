import DocumentValues
import Testing

@testable import GatewayCore
@testable import SyncProtocol

/// A deleted document that a user makes again in another channel stays in the first channel's list as a tombstone. Its
/// row must not reach a client that has the new revision already: the client would take the tombstone for the current
/// revision.
@Suite struct ReplacedTombstoneTests {
    @Test(arguments: [nil, ["north", "south"], ["north"]] as [[String]?]) func onlyTheNewRevisionIsAnnounced(
        channels: [String]?
    ) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ada", channels: ["north", "south"])
            try await test.put("a", ["channels": ["north"]])
            try await test.delete("a")
            try await test.push("a", "1-b", [], ["channels": ["south"]])
            let rows = try await rows(test, channels: channels)
            // If the new channel is not requested, only the deletion is reported.
            let expected = channels == ["north"] ? ["2- deleted"] : ["1-b"]
            #expect(rows == expected)
        }
    }

    /// A document that stays deleted is announced as usual.
    @Test func aDeletionIsAnnounced() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ada", channels: ["north", "south"])
            try await test.put("a", ["channels": ["north"]])
            try await test.delete("a")
            #expect(try await rows(test, channels: nil) == ["2- deleted"])
        }
    }

    /// A document that moved from one channel to another and was deleted there is deleted for a user who has both. If its
    /// removal from the first were announced, a client would take that for a loss of access and purge the document.
    @Test(arguments: [nil, ["north", "south"], ["north"]] as [[String]?]) func aDeletionElsewhereIsAnnouncedAlone(
        channels: [String]?
    ) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ada", channels: ["north", "south"])
            let first = try await test.put("a", ["channels": ["north"]]).revision
            try await test.put("a", ["channels": ["south"]], replacing: first.description)
            try await test.delete("a")
            let expected = channels == ["north"] ? ["2- removed"] : ["3- deleted"]
            #expect(try await rows(test, channels: channels) == expected)
        }
    }

    /// A user who got the second channel after the deletion was never sent that deletion.
    @Test func aChannelThatIsGainedLaterShowsNoDeletion() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ada", channels: ["north"])
            let first = try await test.put("a", ["channels": ["north"]]).revision
            try await test.put("a", ["channels": ["south"]], replacing: first.description)
            try await test.delete("a")
            try await test.putUser("ada", channels: ["north", "south"])
            #expect(try await rows(test, channels: nil) == ["2- removed"])
        }
    }

    private func rows(_ test: TestDatabase, channels: [String]?) async throws -> [String] {
        let backend = DatabaseSyncBackend(database: test.database, requester: .user("ada"), version: .version3)
        var options = SubChanges(collection: nil)
        options.channels = channels
        return try await backend.openFeed(options, since: .zero, collection: 0).next(limit: 100).rows.map { row in
            // The gateway makes the ids of its own revisions.
            let generation = String(row.revision.prefix(2))
            if row.flags.contains(.deleted) { return generation + " deleted" }
            return row.flags.contains(.removed) ? generation + " removed" : row.revision
        }
    }
}
