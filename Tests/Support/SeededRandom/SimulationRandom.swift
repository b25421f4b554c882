/// The random events of a simulation, from its seed.
public struct SimulationRandom: RandomNumberGenerator, Sendable {
    private var generator: SeededGenerator

    public init(seed: UInt64) {
        generator = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1)
    }

    public mutating func next() -> UInt64 { generator.next() }

    public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    public mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &self) }
}
