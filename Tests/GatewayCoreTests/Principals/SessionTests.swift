import DocumentValues
import SodiumCrypto
import Testing

@testable import GatewayCore

/// Sessions: how they begin, last and end.
@Suite(.timeLimit(.minutes(1))) struct SessionTests {
    private func isOpen(_ test: TestDatabase, _ session: NewSession) async throws -> Bool {
        do {
            return try await test.database.principals.authenticate(session: session.id).requester == .user("ann")
        } catch let error as GatewayError where error.status == 401 {
            return false
        }
    }

    /// As one that an earlier version made with less work; several laptops may sign in at once.
    @Test(arguments: StoreEngine.allCases) func aHashOfAnotherCostIsRenewed(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let principals = test.database.principals
            let session = try await principals.createSession(user: "ann")
            let former = try PasswordHash.make("letmein", strength: .interactive)
            try await test.database.store.write { transaction in
                var ann = try #require(try await transaction.reader.principals.find("ann"))
                ann.password = former
                try await transaction.principals.put(ann)
                transaction.noteChange(ofPrincipal: "ann")
            }
            async let other = principals.authenticate(name: "ann", password: "letmein", from: "10.0.0.2")
            let own = try await principals.authenticate(name: "ann", password: "letmein", from: "10.0.0.1")
            for person in try await [own, other] { #expect(try await principals.holds(person.authorization)) }
            let ann = try await test.database.store.read { try await $0.principals.find("ann") }
            let hash = try #require(ann?.password)
            #expect(!PasswordHash.needsRenewal(hash, strength: .testsOnly))
            #expect(PasswordHash.verify("letmein", against: hash))
            #expect(try await isOpen(test, session))
        }
    }

    /// As by a script that makes all users again: their hashes are others each time.
    @Test(arguments: StoreEngine.allCases) func aPasswordIsRightWhileItIsSetAgain(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let principals = test.database.principals
            for round in 0..<40 {
                async let change: Void = test.putUser("ann")
                async let first = principals.authenticate(name: "ann", password: "letmein", from: "10.0.0.1")
                let second = try await principals.authenticate(name: "ann", password: "letmein", from: "10.0.0.2")
                #expect(try await [first, second].allSatisfy { $0.requester == .user("ann") }, "round \(round)")
                try await change
                await #expect(throws: GatewayError.self) {
                    _ = try await principals.authenticate(name: "ann", password: "other", from: "10.0.0.3")
                }
            }
        }
    }

    @Test(arguments: StoreEngine.allCases) func aSessionOutlivesARestartAndEndsWithItsTime(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let session = try await test.database.principals.createSession(user: "ann", lifetime: 100)
            try await test.reopen()
            #expect(try await isOpen(test, session))
            test.pass(seconds: 100)
            #expect(try await !isOpen(test, session))
            await test.maintain()
            #expect(try await test.count(.sessions) == 0)
        }
    }

    @Test(arguments: StoreEngine.allCases) func aSessionThatIsUsedIsProlonged(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let session = try await test.database.principals.createSession(user: "ann", lifetime: 100)
            for _ in 0..<5 {
                test.pass(seconds: 50)
                let renewed = try await test.database.principals.authenticate(session: session.id).renewed
                #expect(renewed?.expires == test.now + 100)
            }
            test.pass(seconds: 5)
            #expect(
                try await test.database.principals.authenticate(session: session.id).renewed == nil, "not every time")
        }
    }

    /// Each way of shutting a user out ends the user's sessions.
    @Test(arguments: ["password", "disabled", "sessions", "one", "user"])
    func sessionsEnd(by cause: String) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            let database = test.database
            let session = try await database.principals.createSession(user: "ann")
            #expect(try await isOpen(test, session))
            switch cause {
            case "password":
                _ = try await database.principals.putUser("ann", json: Array(#"{"password":"another"}"#.utf8))
            case "disabled": _ = try await database.principals.putUser("ann", json: Array(#"{"disabled":true}"#.utf8))
            case "sessions": try await database.principals.deleteSessions(of: "ann")
            case "one": try await database.principals.deleteSession(session.id)
            default: try await database.principals.deleteUser("ann")
            }
            #expect(try await !isOpen(test, session))
            guard cause == "disabled" else { return }
            _ = try await database.principals.putUser("ann", json: Array(#"{"disabled":false}"#.utf8))
            #expect(try await !isOpen(test, session), "it does not come back")
        }
    }

    @Test(arguments: StoreEngine.allCases) func aOneTimeSessionOpensOnce(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let session = try await test.database.principals.createSession(user: "ann", isOneTime: true)
            let opened = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask { (try? await isOpen(test, session)) ?? false }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(opened == 1)
        }
    }

    /// A user cannot fill the disk with sessions, and the sessions of other users do not end because of that.
    @Test(arguments: StoreEngine.allCases) func ofTooManyTheOldestEnds(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            let principals = test.database.principals
            for name in ["ann", "bob"] { try await test.putUser(name) }
            let other = try await principals.createSession(user: "bob")
            // It ends later than all others, and was made before them.
            let oldest = try await principals.createSession(user: "ann", lifetime: 1_000_000)
            test.pass(seconds: 1)
            let used = try await principals.createSession(user: "ann", lifetime: 1_000)
            test.pass(seconds: 500)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 2..<GatewayLimits.sessionsOfUser {
                    group.addTask { _ = try await principals.createSession(user: "ann") }
                }
                try await group.waitForAll()
            }
            #expect(try await test.count(.sessions) == GatewayLimits.sessionsOfUser + 1)
            #expect(try await principals.authenticate(session: used.id).renewed != nil)
            let newest = try await principals.createSession(user: "ann")
            #expect(try await test.count(.sessions) == GatewayLimits.sessionsOfUser + 1)
            #expect(try await !isOpen(test, oldest))
            for session in [used, newest] { #expect(try await isOpen(test, session)) }
            #expect(try await principals.authenticate(session: other.id).requester == .user("bob"))
        }
    }

    /// A client with such a session may want to read, or to make room.
    @Test(arguments: StoreEngine.allCases) func aSessionThatCannotBeProlongedOpensTheDoor(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let principals = test.database.principals
            let session = try await principals.createSession(user: "ann")
            let store = try test.store
            try await store.setRoomForSessions(false)
            test.pass(seconds: GatewayLimits.sessionLifetime / 2)
            let person = try await principals.authenticate(session: session.id)
            let (requester, renewed) = (person.requester, person.renewed)
            #expect(requester == .user("ann") && renewed == nil)
            #expect(test.database.isDiskFull)
            try await store.setRoomForSessions(true)
            #expect(try await principals.authenticate(session: session.id).renewed != nil)
            try await store.setRoomForSessions(false)
            test.pass(seconds: GatewayLimits.sessionLifetime)
            #expect(try await !isOpen(test, session), "its time is over all the same")
        }
    }

    @Test(arguments: StoreEngine.allCases) func aForgedOneOpensNothing(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let session = try await test.database.principals.createSession(user: "ann")
            for id in ["", "x", String(session.id.dropLast()) + "_", session.id.uppercased()] where id != session.id {
                await #expect(throws: GatewayError.invalidSession) {
                    try await test.database.principals.authenticate(session: id)
                }
            }
            #expect(try await test.count(.sessions) == 1)
            let found = try await test.database.store.read { try await $0.sessions.find(Array(session.id.utf8)) }
            #expect(found == nil, "the value of the cookie is not stored")
        }
    }
}
