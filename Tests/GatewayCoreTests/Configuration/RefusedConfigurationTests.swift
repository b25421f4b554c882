import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// A configuration is either in force or refused.
@Suite(.timeLimit(.minutes(1))) struct RefusedConfigurationTests {
    private static let start: JSONValue = [
        "scopes": ["field": ["collections": ["inspections": [:], "sites": [:]]]],
        "guest": ["disabled": false, "collection_access": ["field": ["sites": ["admin_channels": ["open"]]]]],
    ]

    static let guests: [JSONValue] = [
        ["disabled": true, "collection_access": ["field": ["misspelt": ["admin_channels": ["a"]]]]],
        ["disabled": true, "admin_channels": [""]],
        ["disabled": true, "admin_roles": ["a,b"]],
    ]

    @Test(arguments: guests) func aGuestWhoCannotBeStoredIsRefusedWithTheRest(guest: JSONValue) async throws {
        try await TestDatabase.run(Self.start) { test in
            let before = test.database.configuration().version
            let change: JSONValue = ["revs_limit": 33, "guest": guest]
            let error = await #expect(throws: GatewayError.self) {
                try await test.database.configure(change.bytes, merging: true)
            }
            #expect(error.map { (400..<500).contains($0.status) } == true)
            #expect(test.database.configuration().version == before)
            try await test.reopen()
            #expect(test.database.configuration().version == before)
            #expect(try await test.database.principals.authenticateGuest().requester == .guest)
        }
    }

    /// The guest's channels in a collection have to be taken away with the collection or before.
    @Test func theGuestsCollectionStaysInService() async throws {
        try await TestDatabase.run(Self.start) { test in
            let before = test.database.configuration().version
            var change: JSONObject = ["scopes": ["field": ["collections": ["inspections": [:]]]]]
            await #expect(throws: GatewayError.self) {
                try await test.database.configure(change.bytes, merging: true, removesCollections: true)
            }
            #expect(test.database.configuration().version == before)
            change["guest"] = ["collection_access": nil]
            _ = try await test.database.configure(change.bytes, merging: true, removesCollections: true)
            #expect(test.database.collections.map(\.name) == ["inspections"])
        }
    }

    /// No folder is left behind, and the name is free.
    @Test func aDatabaseIsNotMadeForAGuestWhoCannotBeStored() async throws {
        try await TestDatabase.run { test in
            for (index, guest) in Self.guests.enumerated() {
                let configuration = JSONValue.object(["guest": guest]).bytes
                await #expect(throws: GatewayError.self, "\(index)") {
                    try await test.opened.create("other", configuration: configuration)
                }
            }
            let configuration: JSONValue = ["guest": ["disabled": false, "admin_channels": ["open"]]]
            let made = try await test.opened.create("other", configuration: configuration.bytes)
            #expect(try await made.principals.authenticateGuest().requester == .guest)
            let stored = try await made.principals.user(PrincipalName.guest)
            #expect(stored["all_channels"] == ["!", "open"])
        }
    }
}
