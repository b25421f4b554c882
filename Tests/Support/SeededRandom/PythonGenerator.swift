/// Python's `random.Random(seed)`: the Mersenne Twister, with `random()` and `randrange()`. For histories that were
/// first found with it.
public struct PythonGenerator: RandomNumberGenerator, Sendable {
    private static let size = 624
    private var state: [UInt32]
    private var next32 = size

    public init(seed: UInt32) {
        state = [UInt32](repeating: 0, count: Self.size)
        fill(19_650_218)
        mix(seed)
    }

    private mutating func fill(_ seed: UInt32) {
        state[0] = seed
        for index in 1..<Self.size {
            let last = state[index - 1]
            state[index] = 1_812_433_253 &* (last ^ (last >> 30)) &+ UInt32(index)
        }
    }

    /// The reference implementation's initialization with a key of one number.
    private mutating func mix(_ key: UInt32) {
        var index = 1
        func mixed(_ factor: UInt32) -> UInt32 {
            let last = state[index - 1]
            return state[index] ^ ((last ^ (last >> 30)) &* factor)
        }
        func step(_ value: UInt32) {
            state[index] = value
            index += 1
            if index == Self.size {
                state[0] = state[Self.size - 1]
                index = 1
            }
        }
        for _ in 0..<Self.size { step(mixed(1_664_525) &+ key) }
        for _ in 0..<Self.size - 1 { step(mixed(1_566_083_941) &- UInt32(index)) }
        state[0] = 0x8000_0000
    }

    private mutating func twist() {
        for index in 0..<Self.size {
            let joined =
                (state[index] & 0x8000_0000) | (state[(index + 1) % Self.size] & 0x7FFF_FFFF)
            let odd: UInt32 = joined & 1 == 1 ? 0x9908_B0DF : 0
            state[index] = state[(index + 397) % Self.size] ^ (joined >> 1) ^ odd
        }
        next32 = 0
    }

    private mutating func bits32() -> UInt32 {
        if next32 == Self.size { twist() }
        var bits = state[next32]
        next32 += 1
        bits ^= bits >> 11
        bits ^= (bits << 7) & 0x9D2C_5680
        bits ^= (bits << 15) & 0xEFC6_0000
        return bits ^ (bits >> 18)
    }

    public mutating func next() -> UInt64 { UInt64(bits32()) | UInt64(bits32()) << 32 }

    /// `random()`: from 0 up to 1.
    public mutating func random() -> Double {
        let (high, low) = (bits32() >> 5, bits32() >> 6)
        return (Double(high) * 67_108_864 + Double(low)) / 9_007_199_254_740_992
    }

    /// `randrange(bound)`.
    public mutating func randrange(_ bound: Int) -> Int {
        let width = UInt32(Int.bitWidth - bound.leadingZeroBitCount)
        while true {
            let number = Int(bits32() >> (32 - width))
            if number < bound { return number }
        }
    }
}
