import Foundation
import Testing

/// Both machines against each other: cut lines, delays, edits on both sides, access that comes and goes. After quiet,
/// both sides agree.
@Suite struct SimulationTests {
    private static let parts: UInt64 = 8
    /// How many seeds; `FIELDBOOK_SIMULATION_SEEDS` asks for more than fit an everyday run.
    private static let seeds =
        ProcessInfo.processInfo.environment["FIELDBOOK_SIMULATION_SEEDS"].flatMap { UInt64($0) } ?? 800

    @Test(.timeLimit(.minutes(30)), arguments: 0..<parts) func bothSidesAgreeAfterQuiet(part: UInt64) {
        var deltas = (sent: 0, sources: 0)
        for seed in stride(from: part, to: Self.seeds, by: Int(Self.parts)) {
            var simulation = ReplicationSimulation(seed: seed)
            simulation.run()
            deltas.sent += simulation.deltaCounts.sent
            deltas.sources += simulation.deltaCounts.sources
            for problem in simulation.problems { Issue.record("seed \(seed): \(problem)") }
        }
        // Else nobody would notice that they are no longer made.
        #expect(deltas.sent > 0 && deltas.sources > 0, "no revision travelled as a difference")
    }
}
