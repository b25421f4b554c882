import Foundation
import Testing

/// Real stores against each other: crashes, disks that fail, cut lines, edits on both sides, access that comes and goes.
/// After quiet, all sides agree, and nothing that was promised is missing.
@Suite struct StoreSimulationTests {
    private static let parts: UInt64 = 2
    /// As many as take a minute: files are written and synced, so a seed takes a hundred times as long as one of the
    /// protocol's simulation. `FIELDBOOK_STORE_SEEDS` asks for another number.
    private static let seeds = number("FIELDBOOK_STORE_SEEDS") ?? 100

    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// `FIELDBOOK_STORE_SEED` runs one again and prints what happens.
    private static let onlySeed = number("FIELDBOOK_STORE_SEED")

    @Test(.timeLimit(.minutes(30)), arguments: 0..<parts) func allSidesAgreeAfterQuiet(part: UInt64) async throws {
        var counts = StoreSimulationCounts()
        for seed in stride(from: part, to: Self.seeds, by: Int(Self.parts)) where Self.onlySeed == nil {
            counts += try await Self.run(seed).counts
        }
        if let seed = Self.onlySeed, part == 0 {
            let simulation = try await Self.run(seed)
            print(simulation.trace.joined(separator: "\n"))
            return
        }
        print("Simulated: \(counts)")
        // Else nobody would notice that nothing goes wrong any more.
        #expect(Self.onlySeed != nil || counts.isComplete, "\(counts)")
    }

    private static func run(_ seed: UInt64) async throws -> StoreSimulation {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("simulation-\(seed)-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let simulation = try await StoreSimulation(seed: seed, in: folder)
        do { try await simulation.run() } catch { Issue.record("seed \(seed): \(error)") }
        await simulation.end()
        for problem in simulation.problems.prefix(5) { Issue.record("seed \(seed): \(problem)") }
        return simulation
    }
}
