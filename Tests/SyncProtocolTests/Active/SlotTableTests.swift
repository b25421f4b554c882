import Testing

@testable import SyncProtocol

@Suite struct SlotTableTests {
    private enum Queue: Int, CaseIterable, Sendable {
        case first
        case second
    }

    private typealias Table = SlotTable<String, Queue>

    private func table(_ values: [String], in queue: Queue) -> Table {
        var table = Table()
        for value in values {
            let handle = table.add(value)
            table.enqueue(handle, in: queue)
        }
        return table
    }

    private func values(_ handles: [Int], in table: Table) -> [String] { handles.map { table[$0] } }

    @Test func valuesWaitInTheirOrder() {
        var table = table(["c", "a", "b"], in: .first)
        #expect(table.count == 3 && table.count(in: .first) == 3 && table.count(in: .second) == 0)
        let some = table.pop(.first) { $0 == "a" }
        #expect(values(some, in: table) == ["a"])
        let first = table.pop(.first, limit: 1)
        #expect(values(first, in: table) == ["c"])
        table.enqueue(first[0], in: .first, isFirst: true)
        table.enqueue(some[0], in: .first)
        #expect(table.first(in: .first) == first[0])
        let all = table.pop(.first)
        #expect(values(all, in: table) == ["c", "b", "a"])
        let nothing = table.popFirst(.first)
        #expect(nothing == nil && table.count == 3)
    }

    @Test func aValueWaitsUntilItIsTakenOut() {
        var table = table(["a", "b"], in: .second)
        #expect(table.isWaiting(0) && table.isWaiting(1))
        let none = table.pop(.second) { $0 == "c" }
        #expect(none.isEmpty && table.isWaiting(0))
        let handle = table.popFirst(.second)
        #expect(handle == 0 && !table.isWaiting(0) && table.isWaiting(1))
        table[0] = "c"
        #expect(table[0] == "c" && !table.isWaiting(0))
        table[1] = "d"
        #expect(table.isWaiting(1), "another value of the slot waits in its turn")
    }

    @Test func aHandleIsUsedAgain() {
        var table = Table()
        let first = table.add("a")
        let removed = table.remove(first)
        #expect(removed == "a" && table.count == 0)
        let second = table.add("b")
        let third = table.add("c")
        #expect(second == first && third != second && table.count == 2)
    }

    /// Otherwise the queue would lead to the next value of the slot.
    @Test func aWaitingValueIsNotRemoved() async {
        await #expect(processExitsWith: .failure) {
            var table = SlotTable<String, ArrivalTable.Queue>()
            let handle = table.add("a")
            table.enqueue(handle, in: .ready)
            table.remove(handle)
        }
    }
}
