import Testing

@testable import FieldSync

/// What waits for a reader that may be cancelled.
@Suite struct InboxTests {
    @Test(.timeLimit(.minutes(1))) func nothingIsLostAndTheOrderIsKept() async {
        let inbox = Inbox<Int>()
        for number in 0..<1_000 { inbox.put(number) }
        var taken: [Int] = []
        for number in 1_000..<2_000 {
            taken.append(await inbox.next())
            inbox.put(number)
        }
        for _ in 0..<1_000 { taken.append(await inbox.next()) }
        #expect(taken == Array(0..<2_000))
    }

    @Test(.timeLimit(.minutes(1))) func aCancelledReaderGetsWhatComes() async {
        let inbox = Inbox<Int>()
        let taken = await withTaskGroup(of: Int.self) { group in
            group.addTask { await inbox.next() }
            group.cancelAll()
            inbox.put(7)
            return await group.reduce(0, +)
        }
        #expect(taken == 7)
    }
}
