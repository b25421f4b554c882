import Foundation
import SeededRandom
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

    /// Three clients and a gateway that goes back to an earlier moment. After quiet all agree, and nothing that a person
    /// did is undone unless it met something else in a conflict.
    @Test(.timeLimit(.minutes(30)), arguments: 0..<parts) func nothingIsLostWithARestoredGateway(part: UInt64) {
        var restorations = 0
        for seed in stride(from: part, to: Self.seeds, by: Int(Self.parts)) {
            var simulation = TeamSimulation(seed: seed)
            simulation.run()
            restorations += simulation.restorations
            for problem in simulation.problems { Issue.record("seed \(seed): \(problem)") }
        }
        #expect(restorations > 0)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [20, 21, 22]) func whatIsMadeAgainOverADeletionIsPushed(seed: UInt32) {
        var simulation = TeamSimulation(seed: 0)
        simulation.recreate(PythonGenerator(seed: seed))
        for problem in simulation.problems { Issue.record("seed \(seed): \(problem)") }
    }

    /// As Python has them for `random.Random(20)`.
    @Test func pythonsNumbersAreItsOwn() {
        var generator = PythonGenerator(seed: 20)
        #expect(
            (0..<3).map { _ in generator.random() } == [0.9056396761745207, 0.6862541570267026, 0.7665092563626442])
        #expect((0..<6).map { _ in generator.randrange(200) } == [38, 66, 172, 162, 25, 83])
        // After the state was made anew.
        generator = PythonGenerator(seed: 20)
        for _ in 0..<2_000 { _ = generator.random() }
        #expect(generator.randrange(200) == 194 && generator.random() == 0.09543763046796971)
    }
}
