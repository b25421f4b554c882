import Crypto
import DocumentValues

/// The order of `randomize`.
package enum Shuffle {
    private static let modulus: Int64 = 2_147_483_647

    /// Fisher and Yates from the inside out.
    ///
    /// - Parameter draw: a number from 0 up to 1.
    package static func shuffled<Element>(_ elements: [Element], draw: () -> Double) -> [Element] {
        var shuffled: [Element] = []
        shuffled.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            let other = min(Int(draw() * Double(index + 1)), index)
            if other == index {
                shuffled.append(element)
            } else {
                shuffled.append(shuffled[other])
                shuffled[other] = element
            }
        }
        return shuffled
    }

    /// The same order for the same seed, with the generator of Park and Miller.
    package static func shuffled<Element>(_ elements: [Element], seed: Double) -> [Element] {
        var state = Int64(seed.rounded(.towardZero).truncatingRemainder(dividingBy: Double(modulus)))
        if state <= 0 { state += modulus - 1 }
        return shuffled(elements) {
            state = state * 16_807 % modulus
            return Double(state - 1) / Double(modulus - 1)
        }
    }

    /// The number that a seed is: its value; of a text that is no number, one from its SHA-256.
    package static func seed(_ value: FormValue, conversions: Conversions) -> Double {
        let number = conversions.number(value)
        if number.isFinite { return number }
        let text = conversions.text(value)
        guard !text.isEmpty else { return 0 }
        let first = SHA256.hash(data: Array(text.utf8)).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return Double(Int64(bitPattern: first))
    }
}
