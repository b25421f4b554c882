import DocumentValues
import Testing

@testable import GatewayCore
@testable import SyncProtocol

/// A deleted document that somebody makes again in another channel stays in the first one's list as a tombstone. Its row
/// must not reach a client that has the new revision already: it would take the tombstone for what is current.
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
            // Where the new one is not asked for, the deletion is all that there is to know.
            let expected = channels == ["north"] ? ["2- deleted"] : ["1-b"]
            #expect(rows == expected)
        }
    }

    /// What stays deleted is announced as ever.
    @Test func aDeletionIsAnnounced() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ada", channels: ["north", "south"])
            try await test.put("a", ["channels": ["north"]])
            try await test.delete("a")
            #expect(try await rows(test, channels: nil) == ["2- deleted"])
        }
    }

    private func rows(_ test: TestDatabase, channels: [String]?) async throws -> [String] {
        let backend = DatabaseSyncBackend(database: test.database, requester: .user("ada"), version: .version3)
        var options = SubChanges(collection: nil)
        options.channels = channels
        return try await backend.openFeed(options, collection: 0).next(limit: 100).rows.map { row in
            let isDeleted = row.flags.contains(.deleted)
            // The gateway makes the ids of its own revisions.
            return isDeleted ? String(row.revision.prefix(2)) + " deleted" : row.revision
        }
    }
}
