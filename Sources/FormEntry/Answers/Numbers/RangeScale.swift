import DocumentValues
import FormLogic

/// The numbers that a range has: `start`, and so on by `step` as far as `end`.
struct RangeScale: Sendable {
    private let start: Double
    /// The index of the last number.
    let last: Double
    /// Digits behind the point that its numbers have.
    let decimals: Int
    /// Ten to the power of these digits: sums are made of whole numbers, so that 0.1 three times is 0.3.
    private let factor: Double
    /// With its sign, times the factor.
    private let step: Double

    init(_ parameters: [NamedText]) {
        let texts = ["start": "1", "end": "10", "step": "1"].map { key, standard in
            (key, Self.text(parameters, key: key) ?? standard)
        }
        let numbers = Dictionary(uniqueKeysWithValues: texts.map { (Name($0), Double($1) ?? 1) })
        decimals = texts.map { Self.decimals($0.1) }.max() ?? 0
        factor = (0..<decimals).reduce(1) { product, _ in product * 10 }
        start = numbers["start"] ?? 1
        let end = numbers["end"] ?? 10
        let width = abs(numbers["step"] ?? 1)
        let sign: Double = end < start ? -1 : 1
        step = sign * max(1, (width * factor).rounded())
        last = ((end - start) * factor / step + 1e-6).rounded(.down)
    }

    /// The text of a parameter that is a number.
    private static func text(_ parameters: [NamedText], key: String) -> String? {
        guard let text = parameters.first(where: { $0.name.text.lowercased().isExactly(key) })?.text.trimmingSpaces,
            text.utf8.count <= 18, let number = TypedNumber(text)?.decimal, abs(number.value) < 1e9
        else { return nil }
        return number.text
    }

    private static func decimals(_ text: String) -> Int {
        let parts = text.split(atByte: ".")
        return parts.count == 2 ? min(6, parts[1].utf8.count) : 0
    }

    /// The number at an index from 0 to `last`.
    func value(at index: Double) -> Double { ((start * factor).rounded() + index * step) / factor }

    /// The same number of the scale; `nil` if it is none of them.
    func value(like number: Double) -> Double? {
        let index = position(of: number).rounded()
        guard index >= 0, index <= last, abs(value(at: index) - number) < 1e-9 * max(1, abs(number)) else { return nil }
        return value(at: index)
    }

    /// The numbers before and behind one that is not on the scale; none if it is outside.
    func neighbours(of number: Double) -> [Double] {
        let index = position(of: number).rounded(.down)
        guard index >= 0, index < last else { return [] }
        return [value(at: index), value(at: index + 1)].sorted()
    }

    private func position(of number: Double) -> Double { (number - start) * factor / step }

    /// From one number to the next.
    var width: Double { abs(step) / factor }

    func text(_ number: Double) -> String { Decimals.text(number, decimals: decimals) }
}
