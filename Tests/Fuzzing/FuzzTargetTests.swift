import SeededRandom
import Testing

/// Every fuzz target with its seeds, and with a little damage done to them, the same each time. `make fuzz` looks further.
@Suite(.serialized) struct FuzzTargetTests {
    private static let seeds = 200
    private static let rounds = 400
    private static let length = 8_192

    @Test(.timeLimit(.minutes(2)), arguments: FuzzTarget.all.map(\.name))
    func takesOrRefusesWhateverComes(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let seeds = try target.seeds().filter { $0.count <= Self.length }
        try #require(!seeds.isEmpty)
        var damage = Damage(seeds: seeds)
        let inputs = seeds.prefix(Self.seeds) + (0..<Self.rounds).map { _ in damage.input(length: Self.length) }
        var taken = 0
        for input in inputs {
            // A refusal is as good as taking the input: what must not happen ends the process.
            if case .success = Result(catching: { try target.run(input) }) { taken += 1 }
        }
        #expect(taken > 0, "not even the seeds are taken")
    }
}

/// What a fuzzer does to its inputs, without knowing which branches they take.
private struct Damage {
    private let seeds: [[UInt8]]
    private var random = SeededGenerator(seed: 2026)

    init(seeds: [[UInt8]]) { self.seeds = seeds }

    mutating func input(length: Int) -> [UInt8] {
        var bytes = seeds[random.number(below: seeds.count)]
        for _ in 0...random.number(below: 4) { damage(&bytes) }
        return Array(bytes.prefix(length))
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        let index = random.number(below: bytes.count + 1)
        let end = min(bytes.count, index + 1 + random.number(below: 16))
        switch random.number(below: 8) {
        case 0: bytes.removeSubrange(index..<end)
        case 1: bytes.insert(contentsOf: Array(bytes[index..<end]), at: index)
        case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
        case 3: bytes.removeSubrange(index...)
        case 4:
            let other = seeds[random.number(below: seeds.count)]
            bytes.replaceSubrange(index..<end, with: other.suffix(random.number(below: other.count + 1)))
        case 5: change(&bytes, index) { _ in [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0 }
        case 6: change(&bytes, index) { $0 ^ 1 << UInt8(random.number(below: 8)) }
        default: change(&bytes, index) { [$0 &- 1, $0 &+ 1].randomElement(using: &random) ?? 0 }
        }
    }

    private func change(_ bytes: inout [UInt8], _ index: Int, _ change: (UInt8) -> UInt8) {
        guard bytes.indices.contains(index) else { return }
        bytes[index] = change(bytes[index])
    }
}
