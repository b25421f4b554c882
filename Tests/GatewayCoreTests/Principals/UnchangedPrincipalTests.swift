import DocumentValues
import Testing

@testable import GatewayCore

/// A new sequence wakes all feeds that it concerns, so a write without a change takes none.
@Suite(.timeLimit(.minutes(1))) struct UnchangedPrincipalTests {
    private static let guest: JSONValue = ["guest": ["disabled": false, "admin_channels": ["open"]]]

    @Test func theGuestIsLeftAloneByOtherSettings() async throws {
        try await TestDatabase.run(Self.guest) { test in
            let before = test.database.lastSequence
            for change: JSONValue in [[:], ["revs_limit": 50], Self.guest] {
                _ = try await test.database.configure(change.bytes, merging: true)
            }
            _ = try await test.database.configure(Self.guest.bytes, merging: false)
            try await test.reopen()
            #expect(test.database.lastSequence == before)
            #expect(try await test.database.principals.authenticateGuest().requester == .guest)
            _ = try await test.database.configure(
                Array(#"{"guest":{"admin_channels":["open","more"]}}"#.utf8), merging: true)
            #expect(test.database.lastSequence == before + 1)
            _ = try await test.database.configure(Array(#"{"guest":{"disabled":true}}"#.utf8), merging: true)
            #expect(test.database.lastSequence == before + 2)
            await #expect(throws: GatewayError.self) { try await test.database.principals.authenticateGuest() }
        }
    }

    @Test func aUserIsLeftAloneByWhatHeHas() async throws {
        let collections: JSONValue = ["scopes": ["field": ["collections": ["sites": [:]]]]]
        try await TestDatabase.run(collections) { test in
            func put(_ json: String) async throws -> Bool {
                let before = test.database.lastSequence
                _ = try await test.database.principals.putUser("ann", json: Array(json.utf8))
                return test.database.lastSequence != before
            }
            let access = #""collection_access":{"field":{"sites":{"admin_channels":["b","a"]}}}"#
            let isMade = try await put(#"{"password":"pass","email":"a@b.org","admin_roles":["r"],\#(access)}"#)
            #expect(isMade)
            for json in ["{}", "{\(access)}", #"{"email":"a@b.org","admin_roles":["r"],"disabled":false,\#(access)}"#] {
                #expect(try await put(json) == false, "\(json)")
            }
            // A new password ends sessions, even if it is the same as the old one.
            for json in [
                #"{"password":"pass"}"#, #"{"email":"b@b.org"}"#, #"{"admin_roles":[]}"#, #"{"disabled":true}"#,
                #"{"collection_access":{"field":{"sites":{"admin_channels":["a"]}}}}"#,
            ] {
                #expect(try await put(json), "\(json)")
            }
        }
    }

    /// A change without a password must not make a user who could not sign in.
    @Test func whoIsDeletedMeanwhileIsNotMadeAgain() async throws {
        try await TestDatabase.run { test in
            let setup = test.database.setup
            await #expect(throws: GatewayError.deletedByOther) {
                try await test.database.store.write { transaction in
                    _ = try await PrincipalService.store(
                        "ann", request: PrincipalRequest(["email": "a@b.org"]), password: nil, mustBe: .known,
                        setup: setup, transaction)
                }
            }
            let names = try await test.database.principals.userNames()
            #expect(names == [])
        }
    }

    @Test func aRoleIsLeftAloneByWhatItHas() async throws {
        try await TestDatabase.run { test in
            func put(_ json: String) async throws -> Bool {
                let before = test.database.lastSequence
                _ = try await test.database.principals.putRole("r", json: Array(json.utf8))
                return test.database.lastSequence != before
            }
            let isMade = try await put("{}")
            #expect(isMade)
            #expect(try await put(#"{"admin_channels":[]}"#) == false)
            #expect(try await put(#"{"admin_channels":["a"]}"#))
            #expect(try await put(#"{"admin_channels":["a"]}"#) == false)
            try await test.database.principals.deleteRole("r")
            #expect(try await put("{}"), "it is made again")
        }
    }
}
