import AccessControl
import DocumentValues
import Testing

/// A document in as many channels as there may be. Work that grows with their square takes minutes here.
@Suite(.timeLimit(.minutes(1))) struct LargeChannelSetTests {
    @Test func aDocumentThatMovesBetweenVeryManyChannels() {
        let count = AccessLimits.channelsPerDocument
        let one = Set((0..<count).map { "a\($0)" as Name })
        let other = Set((0..<count).map { "b\($0)" as Name })
        var channels = DocumentChannels()
        #expect(channels.update(to: one, at: 1).entered == one)
        for round in 0..<5 {
            let moved = channels.update(to: other, at: UInt64(2 * round) + 2)
            #expect(moved.left == one && moved.replacedRemovals.count == (round == 0 ? 0 : count))
            let back = channels.update(to: one, at: UInt64(2 * round) + 3)
            #expect(back.left == other && back.replacedRemovals.count == count)
        }
        #expect(channels.past.allSatisfy { $0.isLatest } && channels.past.count == count, "old stays are forgotten")
    }

    /// Each channel that a document left keeps its removal, so that nobody misses it; their number is bounded.
    @Test func aDocumentThatWandersThroughEverMoreChannels() {
        let limit = AccessLimits.channelsOverTime
        var channels = DocumentChannels()
        for step in 0..<5 {
            let next = Set((0..<limit / 5).map { "\(step) \($0)" as Name })
            #expect(channels.excess(with: next) == nil)
            _ = channels.update(to: next, at: UInt64(step) + 1)
        }
        #expect(channels.excess(with: ["new"]) == limit + 1)
        #expect(channels.excess(with: ["0 1", "new", "newer"]) == limit + 2)
        // Leaving channels, and coming back to old ones, is always possible.
        #expect(channels.excess(with: []) == nil && channels.excess(with: ["0 1", "4 1"]) == nil)
        _ = channels.update(to: [], at: 6)
        #expect(channels.past.count == limit && channels.excess(with: ["3 3"]) == nil)
    }
}
