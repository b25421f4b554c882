import AccessControl
import Testing

/// A document in as many channels as there may be. Work that grows with their square takes minutes here.
@Suite(.timeLimit(.minutes(1))) struct LargeChannelSetTests {
    @Test func aDocumentThatMovesBetweenVeryManyChannels() {
        let count = AccessLimits.channelsPerDocument
        let one = Set((0..<count).map { "a\($0)" })
        let other = Set((0..<count).map { "b\($0)" })
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
}
