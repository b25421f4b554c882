import DocumentValues
import SyncFunction
import Synchronization
import Testing

@testable import GatewayCore

/// Writes of a client that leaves before their turn, by tasks that are not cancelled.
@Suite(.timeLimit(.minutes(1))) struct GivenUpWriteTests {
    @Test(arguments: [true, false]) func nothingIsStoredForAClientThatIsGone(leavesAtFirst: Bool) async throws {
        let client = ClientPresence()
        let functions = LeavingClientFunctions(client)
        if leavesAtFirst { client.noteGone() }
        try await TestDatabase.run(functions: functions) { test in
            try await test.putUser("ann")
            let results = await test.database.documents.write(
                [DocumentWrite(id: "d", body: Array(#"{"channels":["x"]}"#.utf8))], in: TestDatabase.collection,
                as: .user("ann"), awaitedBy: client)
            #expect(results.map(\.failure) == [.givenUp])
            #expect(functions.asked == (leavesAtFirst ? 0 : 1))
            await #expect(throws: GatewayError.missing) {
                try await test.database.documents.read("d", in: TestDatabase.collection, as: .admin)
            }
        }
    }

    @Test func theyAreStoredForAClientThatIsThere() async throws {
        try await TestDatabase.run(functions: PlainFunctions()) { test in
            let results = await test.database.documents.write(
                [DocumentWrite(id: "d", body: Array(#"{"channels":["x"]}"#.utf8))], in: TestDatabase.collection,
                as: .admin, awaitedBy: ClientPresence())
            #expect(results.map(\.failure) == [nil])
        }
    }
}

/// Plain functions; the client leaves while they run.
private final class LeavingClientFunctions: SyncFunctionRunning {
    private let client: ClientPresence
    private let count = Mutex(0)
    var asked: Int { count.withLock(\.self) }

    init(_ client: ClientPresence) { self.client = client }

    func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome] {
        count.withLock { $0 += calls.count }
        client.noteGone()
        return try await PlainFunctions().run(calls)
    }

    func problem(with function: SyncFunctionSource) async throws -> String? { nil }
}

extension Result where Failure == GatewayError {
    fileprivate var failure: GatewayError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
