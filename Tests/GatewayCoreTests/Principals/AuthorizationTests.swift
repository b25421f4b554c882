import DocumentValues
import Testing

@testable import GatewayCore

/// A client that stays on a connection is disconnected when its authorization ends.
@Suite(.timeLimit(.minutes(1))) struct AuthorizationTests {
    private static let causes = [
        "disabled", "password", "connections", "deleted", "sessions", "session", "offline", "configuration",
    ]

    @Test(arguments: causes)
    func isLost(by cause: String) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            try await test.putUser("bob")
            let database = test.database
            let session = try await database.principals.createSession(user: "ann")
            let authorization = try await database.principals.authenticate(session: session.id).authorization
            let dismissal = try await withThrowingTaskGroup(of: SessionRevocation.self) { group in
                group.addTask { try await database.principals.waitForRevocation(of: authorization) }
                // Nothing of this ends it.
                _ = try await database.principals.putUser("bob", json: Array(#"{"disabled":true}"#.utf8))
                try await test.grant("ann", channels: ["x"])
                switch cause {
                case "disabled":
                    _ = try await database.principals.putUser("ann", json: Array(#"{"disabled":true}"#.utf8))
                case "password":
                    _ = try await database.principals.putUser("ann", json: Array(#"{"password":"another"}"#.utf8))
                case "connections":
                    _ = try await database.principals.putUser("ann", json: Array(#"{"end_connections":true}"#.utf8))
                case "deleted": try await database.principals.deleteUser("ann")
                case "sessions": try await database.principals.deleteSessions(of: "ann")
                case "session": try await database.principals.deleteSession(session.id)
                case "offline": database.goOffline()
                default: _ = try await database.configure(Array("{}".utf8), merging: true)
                }
                return try #require(try await group.next())
            }
            let isToSignIn = !["offline", "configuration"].contains(cause)
            #expect(dismissal == (isToSignIn ? .unwelcome : .databaseChanged))
        }
    }

    /// The connection of a user who signed in with a password, as recorded with Sync Gateway (26c).
    @Test(arguments: StoreEngine.allCases) func anotherSessionsEndAndANewPasswordAreNoMatter(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let database = test.database
            let other = try await database.principals.createSession(user: "ann")
            let authorization = try await database.principals.authenticate(name: "ann", password: "letmein")
                .authorization
            try await database.principals.deleteSession(other.id)
            _ = try await database.principals.putUser("ann", json: Array(#"{"password":"another"}"#.utf8))
            let isOver = try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    _ = try await database.principals.waitForRevocation(of: authorization)
                    return true
                }
                group.addTask {
                    // When this write is stored, the other connection has checked the end of the session.
                    try await test.put("a", [:])
                    return false
                }
                defer { group.cancelAll() }
                return try await group.next() ?? true
            }
            #expect(!isOver)
        }
    }

    @Test(arguments: StoreEngine.allCases) func whoIsToSignInAgainMayDoSoAtOnce(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let principals = test.database.principals
            let person = try await principals.authenticate(name: "ann", password: "letmein")
            let json = #"{"password":"another","end_connections":true}"#
            _ = try await principals.putUser("ann", json: Array(json.utf8))
            #expect(try await !principals.holds(person.authorization))
            let next = try await principals.authenticate(name: "ann", password: "another")
            #expect(try await principals.holds(next.authorization))
        }
    }

    /// There may have been no check in between.
    @Test(arguments: [false, true]) func whoWasShutOutForAMomentSignsInAgain(isDeleted: Bool) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            let principals = test.database.principals
            let authorization = try await principals.authenticate(name: "ann", password: "letmein").authorization
            #expect(try await principals.holds(authorization))
            if isDeleted {
                try await principals.deleteUser("ann")
                try await test.putUser("ann")
            } else {
                for state in ["true", "false"] {
                    _ = try await principals.putUser("ann", json: Array(#"{"disabled":\#(state)}"#.utf8))
                }
            }
            #expect(try await !principals.holds(authorization))
            let next = try await principals.authenticate(name: "ann", password: "letmein").authorization
            _ = try await principals.putUser("ann", json: Array(#"{"disabled":false,"password":"another"}"#.utf8))
            #expect(try await principals.holds(next))
        }
    }

    @Test(arguments: StoreEngine.allCases) func anAdministratorStaysUntilTheDatabaseGoes(on engine: StoreEngine)
        async throws
    {
        try await TestDatabase.run(on: engine) { test in
            let database = test.database
            let authorization = database.principals.authorizationOfAdministrator
            let dismissal = try await withThrowingTaskGroup(of: SessionRevocation.self) { group in
                group.addTask { try await database.principals.waitForRevocation(of: authorization) }
                database.goOffline()
                return try #require(try await group.next())
            }
            #expect(dismissal == .databaseChanged)
        }
    }

    /// If the right is taken away after the session was checked and before the stay begins, the stay ends.
    @Test(arguments: ["session", "sessions", "password", "disabled"])
    func whatEndsTheSessionEndsAStayThatBeganBefore(cause: String) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            let principals = test.database.principals
            let session = try await principals.createSession(user: "ann")
            let person = try await principals.authenticate(session: session.id)
            switch cause {
            case "session": try await principals.deleteSession(session.id)
            case "sessions": try await principals.deleteSessions(of: "ann")
            case "password": _ = try await principals.putUser("ann", json: Array(#"{"password":"another"}"#.utf8))
            default:
                for state in ["true", "false"] {
                    _ = try await principals.putUser("ann", json: Array(#"{"disabled":\#(state)}"#.utf8))
                }
            }
            #expect(try await !principals.holds(person.authorization))
        }
    }

    /// A one-time session has ended with its use; the stay goes on until all sessions are ended, or the user is shut out.
    @Test(arguments: StoreEngine.allCases) func aOneTimeSessionsStayGoesOn(on engine: StoreEngine) async throws {
        try await TestDatabase.run(on: engine) { test in
            try await test.putUser("ann")
            let principals = test.database.principals
            let session = try await principals.createSession(user: "ann", isOneTime: true)
            let person = try await principals.authenticate(session: session.id)
            #expect(try await principals.holds(person.authorization))
            await #expect(throws: GatewayError.invalidSession) {
                try await principals.authenticate(session: session.id)
            }
            try await principals.deleteSessions(of: "ann")
            #expect(try await !principals.holds(person.authorization))
        }
    }

    /// A sign-in by the old password gets no session any more.
    @Test(arguments: ["password", "disabled"]) func whoSignedInBeforeGetsNoSession(cause: String) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            let principals = test.database.principals
            let person = try await principals.authenticate(name: "ann", password: "letmein")
            _ = try await principals.createSession(for: person)
            if cause == "password" {
                _ = try await principals.putUser("ann", json: Array(#"{"password":"another"}"#.utf8))
            } else {
                for state in ["true", "false"] {
                    _ = try await principals.putUser("ann", json: Array(#"{"disabled":\#(state)}"#.utf8))
                }
            }
            await #expect(throws: GatewayError.invalidLogin) { try await principals.createSession(for: person) }
        }
    }
}
