import AccessControl
import DocumentValues
import Testing

@testable import GatewayCore

/// Users, roles, the channels and roles that they hold, and sessions.
@Suite(.timeLimit(.minutes(1))) struct StorePrincipalTests {
    @Test(arguments: StoreEngine.allCases) func usersAndRolesAreReadAsTheyWereWritten(on engine: StoreEngine)
        async throws
    {
        try await engine.run { store in
            var ann = StoredPrincipal(key: "ann", sequence: 4)
            ann.channels = [try CollectionName(scope: "s", name: "c"): ["x", "y"]]
            ann.roles = ["r"]
            ann.password = "hash"
            ann.sessionGeneration = 3
            ann.isDisabled = true
            var gone = StoredPrincipal(key: "bob", sequence: 5)
            gone.isDeleted = true
            let all = [ann, gone, StoredPrincipal(key: StoredPrincipal.roleKey("r"), sequence: 6)]
            try await store.write { transaction in
                for principal in all { try await transaction.principals.put(principal) }
            }
            let found = try await store.read { try await $0.principals.find("ann") }
            #expect(found?.channels == ann.channels && found?.roles == ["r"] && found?.password == "hash")
            #expect(found?.sessionGeneration == 3 && found?.isDisabled == true && found?.sequence == 4)
            #expect(try await store.read { try await $0.principals.find("Ann") } == nil)
            func names(roles: Bool, includingDeleted: Bool) async throws -> [Name] {
                try await store.read { try await $0.principals.names(roles: roles, includingDeleted: includingDeleted) }
            }
            #expect(try await names(roles: false, includingDeleted: false) == ["ann"])
            #expect(try await names(roles: false, includingDeleted: true) == ["ann", "bob"])
            #expect(try await names(roles: true, includingDeleted: true) == ["r"])
        }
    }

    @Test(arguments: StoreEngine.allCases) func holdingsHaveTheirTimes(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let (channel, role) = (GrantItem.channel("x", in: 1), GrantItem.role("r"))
            try await store.write { transaction in
                try await transaction.grants.begin(channel, of: "ann", at: 5)
                try await transaction.grants.begin(role, of: "ann", at: 6)
                try await transaction.grants.end(role, of: "ann", history: [SequenceSpan(start: 6, end: 9)])
            }
            let (since, ended, held, stays) = try await store.read { store in
                (
                    try await store.grants.since(channel, of: "ann"), try await store.grants.ended(role, of: "ann"),
                    try await store.grants.held(by: "ann"), try await store.grants.stays(of: "ann", upTo: 10)
                )
            }
            #expect(since == 5 && ended == [SequenceSpan(start: 6, end: 9)] && held == [channel] && stays == 2)
            #expect(try await store.read { try await $0.grants.items(of: "ann") } == [channel, role])
            #expect(try await store.read { try await $0.grants.since(channel, of: "ANN") } == nil)
            try await store.write { try await $0.principals.erase("ann") }
            #expect(try await store.read { try await $0.grants.items(of: "ann") }.isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases) func documentsGrantByThoseWhoWroteThem(on engine: StoreEngine) async throws {
        try await engine.run { store in
            let item = GrantItem.channel("x", in: 1)
            try await store.write { transaction in
                for document in [1, 2] as [Int64] {
                    try await transaction.grants.insert(item, to: "ann", by: document, giver: "eve")
                    try await transaction.grants.count(1, begun: document == 1 ? 1 : 0, by: "eve", to: "ann")
                }
                try await transaction.grants.delete(item, to: "ann", by: 1)
                try await transaction.grants.count(-1, by: "eve", to: "ann")
            }
            let share = try await store.read { try await $0.grants.share(of: "eve", to: "ann") }
            #expect(share.count == 1 && share.begun == 1)
            #expect(try await store.read { try await $0.grants.count(to: "ann") } == 1)
            #expect(try await store.read { try await $0.grants.isGrantedByDocument(item, to: "ann") })
            #expect(try await store.read { try await $0.grants.giver(of: item, to: "ann", by: 2) } == "eve")
            #expect(try await store.read { try await $0.grants.giver(of: item, to: "ann", by: 1) } == nil)
            #expect(try await store.read { try await $0.grants.granted(to: "ann") } == [item])
        }
    }

    @Test(arguments: StoreEngine.allCases) func sessionsEnd(on engine: StoreEngine) async throws {
        try await engine.run { store in
            try await store.write { transaction in
                for number in 1...4 as ClosedRange<UInt8> {
                    try await transaction.sessions.put(Self.session(number, of: "ann", expires: Int64(number) * 10))
                }
                try await transaction.sessions.put(Self.session(9, of: "bob", expires: 15))
            }
            func left() async throws -> [UInt8] {
                try await store.read { store in
                    var left: [UInt8] = []
                    for key in [1, 2, 3, 4, 9] as [UInt8] where try await store.sessions.find([key]) != nil {
                        left.append(key)
                    }
                    return left
                }
            }
            #expect(try await store.read { try await $0.sessions.find([2]) }?.expires == 20)
            #expect(try await store.write { try await $0.sessions.deleteOldest(of: "ann", leaving: 2) })
            #expect(try await left() == [3, 4, 9])
            #expect(try await !store.write { try await $0.sessions.deleteOldest(of: "ann", leaving: 2) })
            try await store.write { try await $0.sessions.deleteExpired(by: 15) }
            #expect(try await left() == [3, 4])
            try await store.write { try await $0.sessions.delete([3]) }
            #expect(try await left() == [4])
            try await store.write { try await $0.sessions.deleteAll(of: "ann") }
            #expect(try await left() == [])
        }
    }

    private static func session(_ key: UInt8, of user: Name, expires: Int64) -> Session {
        Session(key: [key], user: user, expires: expires, lifetime: 10, generation: 1)
    }
}
