import DocumentValues
import Foundation
import SyncFunction
import Synchronization
import Testing

@testable import GatewayCore

/// A request of many documents that take the sync function too long ends before all of them were checked.
@Suite(.timeLimit(.minutes(1))) struct SlowRequestTests {
    @Test(arguments: [true, false]) func theRestOfItIsNotLookedAt(asOneRequest: Bool) async throws {
        let functions = TiringFunctions()
        try await TestDatabase.run(functions: functions) { test in
            try await test.putUser("ann")
            let count = GatewayLimits.writeBatch * 2 + 1
            let writes = (0..<count).map { DocumentWrite(id: "d\($0)", body: Array(#"{"channels":["x"]}"#.utf8)) }
            let results = await test.database.documents.write(
                writes, in: TestDatabase.collection, as: .user("ann"), asOneRequest: asOneRequest)
            let stored = results.count { (try? $0.get()) != nil }
            let leftOut = results.count { result in
                guard case .failure(let error) = result else { return false }
                return error.status == 503 && error.reason == SyncFunctionOutcome.Rejection.leftOut.reason
            }
            #expect(stored + leftOut == count)
            // The documents that were decided on are stored.
            #expect(stored == (asOneRequest ? TiringFunctions.looks : count))
            #expect(functions.asked == (asOneRequest ? GatewayLimits.writeBatch : count))
        }
    }

    /// A run of the functions gets a single document or a few of many: the limit counts for the whole request.
    @Test(arguments: [true, false]) func itIsOneRequestHoweverManyRunsItTakes(isRepeated: Bool) async throws {
        let functions = SlowFunctions(slowOfRun: isRepeated ? 1 : SyncFunctionLimits.cutOffCalls - 1)
        try await TestDatabase.run(functions: functions) { test in
            try await test.putUser("ann")
            let count = isRepeated ? 40 : GatewayLimits.writeBatch * 3
            let writes = (0..<count).map { index in
                DocumentWrite(id: isRepeated ? "d" : "d\(index)", body: Array(#"{"channels":["x"]}"#.utf8))
            }
            let results = await test.database.documents.write(
                writes, in: TestDatabase.collection, as: .user("ann"), asOneRequest: true)
            #expect(functions.tooSlow == SyncFunctionLimits.cutOffCalls)
            let leftOut = results.count { result in
                guard case .failure(let error) = result else { return false }
                return error.status == 503
            }
            #expect(leftOut > 0)
        }
    }
}

/// Plain functions whose first calls in each run take too long.
private final class SlowFunctions: SyncFunctionRunning {
    private let slowOfRun: Int
    private let count = Mutex(0)
    var tooSlow: Int { count.withLock(\.self) }

    init(slowOfRun: Int) { self.slowOfRun = slowOfRun }

    func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome] {
        try await PlainFunctions().run(calls).enumerated().map { index, outcome in
            if calls[index].budget?.isSpent == true { return SyncFunctionOutcome(rejection: .leftOut) }
            guard index < slowOfRun else { return outcome }
            calls[index].budget?.take(1)
            count.withLock { $0 += 1 }
            return SyncFunctionOutcome(rejection: .init(status: 500, reason: "JS sync function timed out"))
        }
    }

    func problem(with function: SyncFunctionSource) async throws -> String? { nil }
}

/// Plain functions that run only the first calls of a run, if the others may be left out.
private final class TiringFunctions: SyncFunctionRunning {
    static let looks = 100

    private let count = Mutex(0)
    var asked: Int { count.withLock(\.self) }

    func run(_ calls: [SyncFunctionCall]) async throws -> [SyncFunctionOutcome] {
        count.withLock { $0 += calls.count }
        return try await PlainFunctions().run(calls).enumerated().map { index, outcome in
            index >= Self.looks && calls[index].budget != nil ? SyncFunctionOutcome(rejection: .leftOut) : outcome
        }
    }

    func problem(with function: SyncFunctionSource) async throws -> String? { nil }
}
