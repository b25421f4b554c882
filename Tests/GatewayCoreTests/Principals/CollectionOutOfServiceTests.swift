import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// Collections that the configuration does not name any more may come back, together with the channels that users hold
/// in them.
@Suite(.timeLimit(.minutes(1))) struct CollectionOutOfServiceTests {
    private static func collections(_ names: [String]) -> JSONValue {
        let members = names.map { JSONObject.Member(key: $0, value: [:]) }
        return ["scopes": ["field": ["collections": .object(JSONObject(members: members))]]]
    }

    private static func access(_ channels: JSONValue) -> JSONValue {
        ["field": ["inspections": ["admin_channels": channels]]]
    }

    private func prepare(_ test: TestDatabase) async throws {
        try await test.database.principals.putRole("crew", members: ["collection_access": Self.access(["east"])])
        try await test.database.principals.putUser(
            "ann", members: ["password": "pass", "admin_roles": ["crew"], "collection_access": Self.access(["north"])])
    }

    private func offer(_ names: [String], by test: TestDatabase) async throws {
        _ = try await test.database.configure(
            Self.collections(names).bytes, merging: true, removesCollections: true)
    }

    private func channels(_ test: TestDatabase) async throws -> JSONValue? {
        try await test.database.principals.user("ann")["collection_access"]?["field"]?["inspections"]?["all_channels"]
    }

    static let changes: [(String, JSONObject)] = [
        ("ann", ["password": "other"]), ("ann", ["disabled": true]), ("ann", ["admin_roles": ["crew", "more"]]),
        ("role:crew", ["collection_access": ["field": ["sites": ["admin_channels": ["west"]]]]]),
    ]

    @Test(arguments: changes)
    func whoIsChangedMeanwhileKeepsItsChannels(name: String, change: JSONObject) async throws {
        try await TestDatabase.run(Self.collections(["inspections", "sites"])) { test in
            try await prepare(test)
            #expect(try await channels(test) == ["!", "east", "north"])
            try await offer(["sites"], by: test)
            #expect(try await channels(test) == nil)
            if let role = PrincipalName.role(ofKey: Name(name)) {
                try await test.database.principals.putRole(role, members: change)
            } else {
                try await test.database.principals.putUser(Name(name), members: change)
            }
            try await offer(["inspections", "sites"], by: test)
            #expect(try await channels(test) == ["!", "east", "north"])
        }
    }

    /// Rights that are taken away end in such collections, too: a role that is made again does not hold the channels of
    /// the old one.
    @Test func whatIsTakenAwayMeanwhileIsGone() async throws {
        try await TestDatabase.run(Self.collections(["inspections", "sites"])) { test in
            try await prepare(test)
            try await offer(["sites"], by: test)
            try await test.database.principals.deleteRole("crew")
            try await test.database.principals.putRole("crew", members: [:])
            try await offer(["inspections", "sites"], by: test)
            #expect(try await channels(test) == ["!", "north"])
        }
    }

    /// When a document ends, its own grants end, but not those of an administrator.
    @Test func aDocumentThatEndsMeanwhileTakesItsOwnGrantAlone() async throws {
        try await TestDatabase.run(Self.collections(["inspections", "sites"])) { test in
            try await prepare(test)
            let body: JSONValue = ["_exp": .int(test.now + 60), "access": ["ann": ["north", "south"]]]
            try await test.put("a", body, in: CollectionName(scope: "field", name: "inspections"))
            #expect(try await channels(test) == ["!", "east", "north", "south"])
            try await offer(["sites"], by: test)
            test.pass(seconds: 120)
            var pass = ExpiryPass()
            let mayBeMore = try await test.database.documents.expireDocuments(in: &pass)
            #expect(!mayBeMore && pass.failure == nil)
            try await offer(["inspections", "sites"], by: test)
            #expect(try await channels(test) == ["!", "east", "north"])
        }
    }

    /// If the same channels are given to a user once more, the user gets the ones that were missing.
    @Test func whatIsGivenAndNotHeldIsHeldAfterTheSameRequest() async throws {
        try await TestDatabase.run(Self.collections(["inspections", "sites"])) { test in
            try await prepare(test)
            try await test.database.store.write { transaction in
                for item in try await transaction.reader.grants.held(by: "ann") where item.name == "north" {
                    try await transaction.grants.end(item, of: "ann", history: [])
                }
                transaction.noteChange(ofPrincipal: "ann")
            }
            #expect(try await channels(test) == ["!", "east"])
            try await test.database.principals.putUser("ann", members: ["collection_access": Self.access(["north"])])
            #expect(try await channels(test) == ["!", "east", "north"])
        }
    }

    /// A token's channels are given in every collection, including later ones.
    @Test func whatATokenGivesIsHeldInACollectionThatIsAddedLater() async throws {
        try await TestDatabase.run(Self.collections(["sites"])) { test in
            try await test.database.principals.putUser("ann", members: ["password": "pass"])
            let grants = TokenGrants(issuer: "main", roles: [], channels: ["north"], updated: test.now)
            try await test.database.principals.take(grants, of: "ann", email: nil, mayMake: false)
            try await offer(["inspections", "sites"], by: test)
            #expect(try await channels(test) == ["!", "north"])
        }
    }

    /// Channels of the default collection are kept for users and roles, even if the database does not have that
    /// collection.
    @Test func rolesHoldWhatIsGivenInTheDefaultCollectionOnceItIsAdded() async throws {
        @Sendable func collections(_ names: [String]) -> JSONValue {
            let members = names.map { JSONObject.Member(key: $0, value: [:]) }
            return ["scopes": ["_default": ["collections": .object(JSONObject(members: members))]]]
        }
        try await TestDatabase.run(collections(["sites"])) { test in
            try await test.database.principals.putRole("crew", members: ["admin_channels": ["east"]])
            try await test.database.principals.putUser(
                "ann", members: ["password": "pass", "admin_roles": ["crew"], "admin_channels": ["north"]])
            _ = try await test.database.configure(collections(["_default", "sites"]).bytes, merging: true)
            #expect(try await test.database.principals.user("ann")["all_channels"] == ["!", "east", "north"])
        }
    }

    /// The same holds for a token's channels while a collection is out of service.
    @Test func whatATokenTakesAwayIsGoneFromACollectionThatComesBack() async throws {
        try await TestDatabase.run(Self.collections(["inspections", "sites"])) { test in
            try await test.database.principals.putUser("ann", members: ["password": "pass"])
            for channels in [["north"], ["south"]] as [Set<Name>] {
                let grants = TokenGrants(issuer: "main", roles: [], channels: channels, updated: test.now)
                try await test.database.principals.take(grants, of: "ann", email: nil, mayMake: false)
                if channels == ["north"] { try await offer(["sites"], by: test) }
            }
            try await offer(["inspections", "sites"], by: test)
            #expect(try await channels(test) == ["!", "south"])
        }
    }
}

extension PrincipalService {
    fileprivate func putUser(_ name: Name, members: JSONObject) async throws {
        _ = try await putUser(name, json: members.bytes)
    }

    fileprivate func putRole(_ name: Name, members: JSONObject) async throws {
        _ = try await putRole(name, json: members.bytes)
    }
}
