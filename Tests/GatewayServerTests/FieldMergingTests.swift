import FieldModels
import Foundation
@testable import GatewayServer
import Logging
import SyncFunction
import Testing

/// What laptops make of several versions of an inspection, the gateway takes: what it refuses stays on one laptop for ever.
///
/// `FIELDBOOK_MERGING_SEEDS=2000` runs more of them, `FIELDBOOK_MERGING_SEED=345` one. Of the first 800 three end with a
/// refusal, 345, 566 and 702: a colleague brings back what others deleted and moved, and districts that were decided several
/// times. Of an assignment it is 239: somebody decides that it is done, and not dropped, and opens it again on both of their
/// laptops.
@Suite(.timeLimit(.minutes(10))) struct FieldMergingTests {
    private static let pool = SyncFunctionPool(executable: TestGateway.workerPath, logger: Logger(label: "test"))
    private static let seeds =
        ProcessInfo.processInfo.environment["FIELDBOOK_MERGING_SEEDS"].flatMap { UInt64($0) } ?? 60

    static let seedList: [UInt64] =
        ProcessInfo.processInfo.environment["FIELDBOOK_MERGING_SEED"].flatMap { UInt64($0) }.map { [$0] }
        ?? Array(1...seeds)

    @Test(arguments: seedList) func theGatewayTakesWhatLaptopsMerge(seed: UInt64) async throws {
        var laptops = MergingLaptops(seed: seed, pool: Self.pool)
        try await laptops.run(steps: 80)
        #expect(laptops.refusals.isEmpty, "\(laptops.refusals.first ?? "")")
    }

    @Test(arguments: seedList) func theGatewayTakesWhatLaptopsMergeOfAnAssignment(seed: UInt64) async throws {
        var laptops = MergingLaptops(seed: seed, pool: Self.pool, kind: .assignment)
        try await laptops.run(steps: 80)
        #expect(laptops.refusals.isEmpty, "\(laptops.refusals.first ?? "")")
    }
}
