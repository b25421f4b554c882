import DocumentValues
import Synchronization
import Testing

@testable import GatewayCore

/// A user whose stored state cannot be read counts as disabled.
@Suite(.timeLimit(.minutes(1))) struct DamagedPrincipalTests {
    private static let states = ["x", "{}", #"{"disabled":"no","stay":0}"#]

    @Test(arguments: StoreEngine.allCases, states) func nobodySignsInAsOne(on engine: StoreEngine, state: String)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            for name in ["ann", "bob"] { try await test.putUser(name) }
            let session = try await test.database.principals.createSession(user: "ann")
            let authorization = try await test.database.principals.authenticate(session: session.id).authorization
            try await test.store.makeUnreadable(.principal("ann", state: state))
            // Users are remembered as they were read last.
            try await test.reopen()
            let principals = test.database.principals
            await #expect(throws: GatewayError.invalidLogin) {
                try await principals.authenticate(name: "ann", password: "letmein")
            }
            await #expect(throws: GatewayError.endedSession) { try await principals.authenticate(session: session.id) }
            #expect(try await !principals.holds(authorization))
            #expect(try await principals.authenticate(name: "bob", password: "letmein").requester == .user("bob"))
            #expect(test.database.damage?.contains("the stored state of 'ann' cannot be read") == true)
        }
    }

    /// A user without channels would lose the documents on the laptops.
    @Test func nothingIsTakenFromTheUser() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            try await test.store.makeUnreadable(.principal("ann", state: "x"))
            try await test.reopen()
            let views = test.database.principals.views
            await #expect(throws: GatewayError.signInAgain) { try await views.view(of: .user("ann"), in: .default) }
            await #expect(throws: GatewayError.signInAgain) { try await views.writerAuthorization(of: .user("ann")) }
        }
    }

    @Test func aUserWithSuchARoleIsDisabledUntilItCanBeRead() async throws {
        try await TestDatabase.run { test in
            try await test.putRole("crew", channels: ["a"])
            try await test.putUser("ann", roles: ["crew"])
            let key = StoredPrincipal.roleKey("crew")
            let state = StoredPrincipal(key: key, sequence: 1).state
            try await test.store.makeUnreadable(.principal(key, state: "x"))
            try await test.reopen()
            #expect(try await test.database.principals.views.knownUser("ann")?.isDisabled == true)
            try await test.store.makeUnreadable(.principal(key, state: state.description))
            #expect(try await test.database.principals.views.knownUser("ann")?.isDisabled == false)
        }
    }

    @Test func eachIsReportedOnce() {
        let damage = StoreDamage()
        let reported = Mutex<[Name]>([])
        damage.onDamagedPrincipal { key in reported.withLock { $0.append(key) } }
        for key in ["ann", "bob", "ann"] as [Name] { damage.note(DamagedPrincipal(key: key)) }
        #expect(reported.withLock { $0 } == ["ann", "bob"])
        #expect(damage.reason == "the stored state of 'ann' cannot be read")
        #expect(GatewayError(DamagedPrincipal(key: "ann")) == .damaged("user or role"))
    }
}
