import SeededRandom
import Testing

@testable import DocumentStore

/// Who gets a turn to open a result, without queries.
@Suite struct ResultTurnsTests {
    private typealias Turns = ResultTurns<String>

    /// Of 8 results 4 may be opened by tasks that have none, 6 by those with one, 7 by those with two, and all by others.
    @Test func aTaskWithResultsGetsTheRestOfTheTurns() {
        var turns = Turns(limit: 8)
        for task in 0..<4 { #expect(turns.take(task) == .granted) }
        #expect(turns.take(9) == .mustWait)
        #expect(turns.take(0) == .granted && turns.take(1) == .granted)
        #expect(turns.take(2) == .mustWait)
        #expect(turns.take(0) == .granted)
        #expect(turns.take(0) == .granted)
        #expect(turns.open == 8)
        // It has all that are only for tasks with results, so others may wait for it, and it for none.
        #expect(turns.take(0) == .refused(held: 4))
        #expect(turns.take(1) == .mustWait)
    }

    @Test func theTaskWithMostResultsGoesFirst() {
        var turns = Turns(limit: 8)
        for task in [0, 1, 2, 3, 0, 1] { #expect(turns.take(task) == .granted) }
        for (number, task) in [9, 8, 2].enumerated() {
            #expect(turns.take(task) == .mustWait)
            turns.wait("\(task)", of: task, as: UInt64(number))
        }
        #expect(turns.waiting == 3)
        #expect(turns.giveBack(0) == "2")
        // 6 are open: tasks without any wait until there are 3.
        #expect(turns.giveBack(0) == nil && turns.giveBack(1) == nil)
        #expect(turns.giveBack(1) == "9" && turns.giveBack(2) == "8" && turns.waiting == 0)
    }

    @Test func aCallerThatLeavesGetsNoTurn() {
        var turns = Turns(limit: 2)
        #expect(turns.take(0) == .granted)
        for number in 1...3 {
            #expect(turns.take(number) == .mustWait)
            turns.wait("\(number)", of: number, as: UInt64(number))
        }
        #expect(turns.leave(1) == "1" && turns.leave(1) == nil)
        #expect(turns.giveBack(0) == "2")
        #expect(turns.removeWaiters() == ["3"] && turns.waiting == 0)
    }

    @Test func whoCannotWaitGetsAnyTurn() {
        var turns = Turns(limit: 4)
        for _ in 0..<4 { #expect(turns.takeAtOnce(nil) == true) }
        #expect(!turns.takeAtOnce(nil) && turns.take(nil) == .mustWait)
        #expect(turns.giveBack(nil) == nil && turns.takeAtOnce(1))
    }

    /// Any tasks that take results inside each other, and give all back after the innermost: one can always go on.
    @Test(arguments: 0..<20) func tasksThatWaitForEachOtherGoOn(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var turns = ResultTurns<Int>(limit: 16)
        // Sixteen has four shares that grow, and the whole.
        var missing = (0..<40).map { _ in Int.random(in: 1...5, using: &random) }
        var held = [Int](repeating: 0, count: missing.count)
        var ready = Set(missing.indices)
        var left = missing.count
        while let task = ready.sorted().randomElement(using: &random) {
            ready.remove(task)
            if missing[task] > 0 {
                switch turns.take(task) {
                case .granted:
                    missing[task] -= 1
                    held[task] += 1
                    ready.insert(task)
                case .mustWait: turns.wait(task, of: task, as: UInt64(task))
                case .refused: Issue.record("task \(task) has \(held[task]) results")
                }
            } else if held[task] > 0 {
                held[task] -= 1
                if let next = turns.giveBack(task) {
                    missing[next] -= 1
                    held[next] += 1
                    ready.insert(next)
                }
                ready.insert(task)
            } else {
                left -= 1
            }
        }
        #expect(left == 0 && turns.open == 0 && turns.waiting == 0)
    }

    // MARK: Standstill

    @Test func resultsThatAreReadMove() {
        var turns = Turns(limit: 2)
        #expect(turns.take(0) == .granted)
        turns.wait("1", of: 1, as: 1)
        turns.beginLooking()
        turns.beginReading()
        #expect(turns.look().isMoving && turns.look().isMoving)
        turns.endReading()
        #expect(turns.look().isMoving)
        guard case .isStuck(let waiters) = turns.look() else {
            Issue.record("it is not seen that nothing was read")
            return
        }
        #expect(waiters == ["1"])
        guard case .noneWaits = turns.look() else {
            Issue.record("there is no reason to look again")
            return
        }
    }
}

extension ResultTurns.Look {
    fileprivate var isMoving: Bool {
        switch self {
        case .isMoving: true
        case .noneWaits, .isStuck: false
        }
    }
}

@Suite struct WaitingLineTests {
    @Test func theOrderIsThatInWhichTheyCame() {
        var line = WaitingLine<String>()
        for (number, name) in ["a", "b", "c", "d"].enumerated() { line.append(name, as: UInt64(number)) }
        #expect(line.remove(1) == "b" && line.remove(1) == nil && line.count == 3)
        #expect(line.removeFirst() == "a" && line.removeFirst() == "c")
        line.append("e", as: 9)
        #expect(line.removeAll() == ["d", "e"] && line.removeFirst() == nil && line.count == 0)
    }

    @Test func thoseThatStayKeepTheirOrderAfterManyHaveLeft() {
        var line = WaitingLine<UInt64>()
        for number: UInt64 in 0..<1_000 { line.append(number, as: number) }
        for number: UInt64 in 0..<1_000 where number % 10 != 0 { #expect(line.remove(number) == number) }
        var rest: [UInt64] = []
        while let number = line.removeFirst() { rest.append(number) }
        #expect(rest == (0..<100).map { $0 * 10 })
    }
}
