import SeededRandom
import Testing

@testable import SyncProtocol

@Suite struct SequenceRangesTests {
    @Test func beginsWithNothingDone() {
        let ranges = SequenceRanges()
        #expect(ranges.through == 0)
        #expect(!ranges.contains(1))
    }

    @Test func touchingRangesBecomeOne() {
        var ranges = SequenceRanges(through: 4)
        ranges.insert(6)
        #expect(ranges.ranges == [0..<5, 6..<7])
        ranges.insert(5)
        #expect(ranges.ranges == [0..<7])
        ranges.insert(9..<12)
        ranges.insert(8..<20)
        #expect(ranges.ranges == [0..<7, 8..<20])
    }

    @Test func whatIsTakenOutLeavesAGap() {
        var ranges = SequenceRanges(through: 10)
        ranges.remove(10)
        ranges.remove(4)
        ranges.remove(99)
        #expect(ranges.ranges == [0..<4, 5..<10])
        #expect(ranges.through == 3)
        #expect(!ranges.contains(4) && ranges.contains(9) && !ranges.contains(10))
    }

    @Test func behavesLikeASetOfNumbers() {
        var random = SimulationRandom(seed: 7)
        for _ in 0..<300 {
            var ranges = SequenceRanges()
            var model: Set<UInt64> = [0]
            for _ in 0..<40 {
                let lower = UInt64.random(in: 1..<30, using: &random)
                if random.chance(30) {
                    ranges.remove(lower)
                    model.remove(lower)
                } else {
                    let upper = lower + UInt64.random(in: 0..<6, using: &random)
                    ranges.insert(lower..<upper)
                    model.formUnion(lower..<upper)
                }
            }
            #expect((0..<40).allSatisfy { ranges.contains($0) == model.contains($0) })
            #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            let other = SequenceRanges([0..<3, 5..<9, 14..<22])
            let common = ranges.intersection(other)
            #expect((0..<40).allSatisfy { common.contains($0) == (ranges.contains($0) && other.contains($0)) })
        }
    }
}

@Suite struct RemoteSequencesTests {
    @Test func thePositionIsBeforeTheFirstThatIsNotDone() {
        var sequences = RemoteSequences(since: "3")
        for text in ["4", "\"9:2\"", "10"] { sequences.announce(text) }
        #expect(sequences.position == "3")
        sequences.complete("\"9:2\"")
        #expect(sequences.position == "3")
        sequences.complete("4")
        #expect(sequences.position == "\"9:2\"")
        sequences.complete("10")
        #expect(sequences.position == "10" && sequences.index(of: "10") == nil)
    }

    @Test func whatWasAnnouncedTwiceIsDoneOnce() {
        var sequences = RemoteSequences(since: nil)
        let first = sequences.announce("1")
        #expect(sequences.announce("1") == first)
        sequences.complete("1")
        sequences.complete("1")
        #expect(sequences.position == "1")
    }

    @Test func forgetsWhatLiesBehindIt() {
        var sequences = RemoteSequences(since: nil)
        for number in 0..<10_000 {
            sequences.announce("\(number)")
            if number >= 3 { sequences.complete("\(number - 3)") }
        }
        #expect(sequences.position == "9996")
        #expect(sequences.index(of: "9998") == 9_998)
    }
}
