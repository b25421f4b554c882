import DocumentValues
import Testing

@testable import GatewayCore

/// The last sign-in of each user with each client.
@Suite(.timeLimit(.minutes(1))) struct SignInRecordTests {
    @Test func eachProgramOfAUserIsKept() async throws {
        try await TestDatabase.run { test in
            func note(_ agent: String) {
                test.pass(seconds: 1)
                test.database.principals.noteSignIn(of: "ann", agent: agent)
            }
            for agent in ["one", "two", "one"] { note(agent) }
            test.database.principals.noteSignIn(of: "bob", agent: "one")
            #expect(test.database.signIns.all.map(\.user) == ["ann", "ann", "bob"])
            #expect(test.database.signIns.all.map(\.agent) == ["one", "two", "one"])
            // A client that uses a new name each time only replaces the entries of its own user.
            for number in 0..<20 { note("program \(number)") }
            let agents = test.database.signIns.all.map(\.agent)
            let kept = (0..<GatewayLimits.programsOfUser).map { "program \(19 - $0)" }
            #expect(agents == kept + ["one"])
            try test.database.signIns.save()
            try await test.reopen()
            #expect(test.database.signIns.all.map(\.agent) == agents)
        }
    }
}
