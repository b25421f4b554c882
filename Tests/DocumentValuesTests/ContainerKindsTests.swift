import SeededRandom
import Testing

@testable import DocumentValues

/// Which containers a position is in: one bit each, 64 in a number.
@Suite struct ContainerKindsTests {
    @Test(arguments: 0..<8 as Range<UInt64>) func itIsAListOfTruths(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var kinds = ContainerKinds()
        var model: [Bool] = []
        for step in 0..<3_000 {
            // It grows to some hundred levels, and falls again.
            let grows = model.isEmpty || random.number(below: 100) < (step < 1_500 ? 60 : 40)
            if grows {
                let isObject = random.number(below: 2) == 0
                kinds.append(isObject)
                model.append(isObject)
            } else {
                kinds.removeLast()
                model.removeLast()
            }
            if let last = model.last, kinds.last != last {
                Issue.record("step \(step), \(model.count) levels")
                return
            }
        }
    }

    @Test(arguments: [63, 64, 65, 127, 128, 129, 192]) func theOuterOnesComeBack(levels: Int) {
        var kinds = ContainerKinds()
        for level in 0..<levels { kinds.append(level % 3 == 0) }
        for level in (0..<levels).reversed() {
            #expect(kinds.last == (level % 3 == 0), "\(level)")
            kinds.removeLast()
        }
        kinds.append(true)
        #expect(kinds.last)
    }
}
