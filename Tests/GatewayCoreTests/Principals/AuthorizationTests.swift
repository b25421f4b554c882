import DocumentValues
import Testing

@testable import GatewayCore

/// A client that stays on a connection has to go when that by which it was let in is gone.
@Suite(.timeLimit(.minutes(1))) struct AuthorizationTests {
    private static let causes = [
        "disabled", "password", "deleted", "sessions", "session", "offline", "configuration",
    ]

    @Test(arguments: causes)
    func isLost(by cause: String) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            try await test.putUser("bob")
            let database = test.database
            let session = try await database.principals.createSession(user: "ann")
            let authorization = try await database.principals.authorization(of: .user("ann"), session: session.id)
            // One that has ended since it was looked at lets nobody stay as if it had been a password.
            let ended = try await database.principals.createSession(user: "ann")
            try await database.principals.deleteSession(ended.id)
            await #expect(throws: GatewayError.invalidSession) {
                try await database.principals.authorization(of: .user("ann"), session: ended.id)
            }
            _ = try await database.principals.authorization(of: .user("ann"), session: ended.id, mayBeUsedUp: true)
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

    /// Of somebody who came in with a password, as recorded with Sync Gateway (26c).
    @Test func anotherSessionsEndAndANewPasswordAreNoMatter() async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            let database = test.database
            let other = try await database.principals.createSession(user: "ann")
            let authorization = try await database.principals.authorization(of: .user("ann"), session: nil)
            try await database.principals.deleteSession(other.id)
            _ = try await database.principals.putUser("ann", json: Array(#"{"password":"another"}"#.utf8))
            let isOver = try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    _ = try await database.principals.waitForRevocation(of: authorization)
                    return true
                }
                group.addTask {
                    // By when this is stored the other one has looked at the session's end.
                    try await test.put("a", [:])
                    return false
                }
                defer { group.cancelAll() }
                return try await group.next() ?? true
            }
            #expect(!isOver)
        }
    }

    /// Nobody may have looked in between.
    @Test(arguments: [false, true]) func whoWasShutOutForAMomentSignsInAgain(isDeleted: Bool) async throws {
        try await TestDatabase.run { test in
            try await test.putUser("ann")
            let principals = test.database.principals
            let authorization = try await principals.authorization(of: .user("ann"), session: nil)
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
            let next = try await principals.authorization(of: .user("ann"), session: nil)
            _ = try await principals.putUser("ann", json: Array(#"{"disabled":false,"password":"another"}"#.utf8))
            #expect(try await principals.holds(next))
        }
    }

    @Test func anAdministratorStaysUntilTheDatabaseGoes() async throws {
        try await TestDatabase.run { test in
            let database = test.database
            let authorization = try await database.principals.authorization(of: .admin, session: nil)
            let dismissal = try await withThrowingTaskGroup(of: SessionRevocation.self) { group in
                group.addTask { try await database.principals.waitForRevocation(of: authorization) }
                database.goOffline()
                return try #require(try await group.next())
            }
            #expect(dismissal == .databaseChanged)
        }
    }
}
