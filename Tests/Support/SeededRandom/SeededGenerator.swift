/// SplitMix64: the same history from the same seed.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Below `bound`; the bias does not matter here, the speed does.
    public mutating func number(below bound: Int) -> Int { Int(next() >> 33) % bound }

    /// Each of the names or not.
    public mutating func some(_ names: [String]) -> Set<String> {
        let bits = next()
        var chosen: Set<String> = []
        for (index, name) in names.enumerated() where bits >> UInt64(index + 7) & 1 == 1 { chosen.insert(name) }
        return chosen
    }
}
