import DocumentValues
import Testing

@testable import GatewayCore

@Suite struct WriteTurnsTests {
    private static func all(_ turns: inout WriteTurns<String>, work: Int = 100) -> [[String]] {
        var groups: [[String]] = []
        while !turns.isEmpty { groups.append(turns.take(count: 10, work: work)) }
        return groups
    }

    @Test func whatIsSmallGoesTogether() {
        var turns = WriteTurns<String>(credit: 10)
        for number in 1...3 { turns.append("eve \(number)", of: "eve", work: 1) }
        turns.append("ann", of: "ann", work: 1)
        #expect(Self.all(&turns) == [["eve 1", "eve 2", "eve 3", "ann"]])
    }

    @Test func aGroupEndsByWorkAndByCount() {
        var turns = WriteTurns<String>(credit: 10)
        for number in 1...3 { turns.append("\(number)", of: "eve", work: 60) }
        #expect(Self.all(&turns) == [["1"], ["2"], ["3"]])
        for number in 0..<25 { turns.append("\(number)", of: "eve", work: 1) }
        #expect(Self.all(&turns).map(\.count) == [10, 10, 5])
    }

    @Test func whatIsTooLargeForAGroupGoesAlone() {
        var turns = WriteTurns<String>(credit: 10)
        turns.append("large", of: "eve", work: 1_000)
        turns.append("small", of: "eve", work: 1)
        #expect(Self.all(&turns) == [["large"], ["small"]])
    }

    /// Even if one account brings many writes, another one only waits for a single one of them.
    @Test func whoBringsMuchWaitsForThemselves() {
        var turns = WriteTurns<String>(credit: 10)
        for number in 0..<200 { turns.append("eve \(number)", of: "eve", work: 100) }
        #expect(turns.take(count: 10, work: 100) == ["eve 0"])
        turns.append("ann 0", of: "ann", work: 1)
        turns.append("ann 1", of: "ann", work: 1)
        #expect(turns.take(count: 10, work: 100) == ["ann 0", "ann 1"])
        #expect(turns.take(count: 10, work: 100) == ["eve 1"])
    }

    /// A hundred small ones have their turns before the next large one, and not one of each.
    @Test func turnsAreOfTheSameWork() {
        var turns = WriteTurns<String>(credit: 10)
        for number in 0..<3 { turns.append("eve \(number)", of: "eve", work: 100) }
        for number in 0..<150 { turns.append("ann \(number)", of: "ann", work: 1) }
        let order = Self.all(&turns).flatMap { $0 }
        let large = order.indices.filter { order[$0].hasPrefix("eve") }
        #expect(large[0] == 0 && large[1] >= 90 && large[1] < 120 && large[2] > 150)
        #expect(order.filter { $0.hasPrefix("ann") } == (0..<150).map { "ann \($0)" })
    }

    /// A client that waits for its answers has one large write waiting, and never two.
    @Test func whoSendsOneAfterTheOtherHasTheSameTurns() {
        var turns = WriteTurns<String>(credit: 1)
        turns.append("eve", of: "eve", work: 100)
        for _ in 0..<50 { turns.append("ann", of: "ann", work: 1) }
        var taken: [String: Int] = [:]
        for _ in 0..<1_000 {
            for element in turns.take(count: 1, work: 100) {
                taken[element, default: 0] += 1
                turns.append(element, of: Name(element), work: element == "eve" ? 100 : 1)
            }
        }
        #expect((9...11).contains(taken["eve", default: 0]))
        #expect((989...991).contains(taken["ann", default: 0]))
    }

    @Test func whatWasOverdrawnIsForgottenWhereNobodyWaits() {
        var turns = WriteTurns<String>(credit: 1)
        turns.append("large", of: "eve", work: 1_000)
        #expect(turns.take(count: 10, work: 100) == ["large"])
        turns.append("eve", of: "eve", work: 1)
        turns.append("ann", of: "ann", work: 1)
        #expect(turns.take(count: 10, work: 100) == ["eve", "ann"])
    }

    /// Names are bytes: two that look alike are two accounts.
    @Test func lookAlikesHaveTurnsOfTheirOwn() {
        var turns = WriteTurns<String>(credit: 10)
        for number in 0..<3 { turns.append("composed \(number)", of: "jos\u{e9}", work: 100) }
        turns.append("decomposed", of: "jose\u{301}", work: 1)
        #expect(Self.all(&turns) == [["composed 0"], ["decomposed"], ["composed 1"], ["composed 2"]])
    }

    @Test func partsHaveSoMuchWork() {
        #expect([3, 3, 3, 20, 1].parts(upTo: 6) { $0 }.map(\.elements) == [[3, 3], [3], [20], [1]])
        #expect([3, 3, 3, 20, 1].parts(upTo: 6) { $0 }.map(\.work) == [6, 3, 20, 1])
        #expect([Int]().parts(upTo: 6) { $0 }.isEmpty)
    }
}
