import AccessControl
import DocumentValues
import Testing
import WorkCount

/// A document in very many channels.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LargeChannelSetTests {
    @Test func movingBetweenChannelsGrowsWithTheirNumber() async throws {
        let growth = try await Growth.of(200) { count in
            ["a", "b"].map { letter in Set((0..<count).map { "\(letter)\($0)" as Name }) }
        } work: { sets in
            let (one, other, count) = (sets[0], sets[1], sets[0].count)
            var channels = DocumentChannels()
            #expect(channels.update(to: one, at: 1).entered == one)
            for round in 0..<3 {
                let moved = channels.update(to: other, at: UInt64(2 * round) + 2)
                #expect(moved.left == one && moved.replacedRemovals.count == (round == 0 ? 0 : count))
                let back = channels.update(to: one, at: UInt64(2 * round) + 3)
                #expect(back.left == other && back.replacedRemovals.count == count)
            }
            #expect(channels.past.allSatisfy { $0.isLatest } && channels.past.count == count, "old stays are forgotten")
        }
        #expect(!growth.isSquare, "\(growth)")
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
