/// Which local sequences need no more work: sorted ranges that neither touch nor overlap. The first begins at 0, which
/// is no document's sequence.
package struct SequenceRanges: Sendable, Hashable {
    package private(set) var ranges: [Range<UInt64>] = [0..<1]

    package init() {}

    /// All sequences up to and including `sequence`.
    package init(through sequence: UInt64) { ranges = [0..<sequence + 1] }

    package init(_ ranges: [Range<UInt64>]) {
        for range in ranges { insert(range) }
    }

    /// The highest sequence up to which all are done.
    package var through: UInt64 { ranges[0].upperBound - 1 }

    package func contains(_ sequence: UInt64) -> Bool {
        let index = firstRange(endingAfter: sequence)
        return index < ranges.count && ranges[index].lowerBound <= sequence
    }

    package mutating func insert(_ sequence: UInt64) { insert(sequence..<sequence + 1) }

    package mutating func insert(_ new: Range<UInt64>) {
        guard !new.isEmpty else { return }
        // The first range to join ends at the start of the new one, or later.
        let first = new.lowerBound == 0 ? 0 : firstRange(endingAfter: new.lowerBound - 1)
        var last = first
        var joined = new
        while last < ranges.count, ranges[last].lowerBound <= joined.upperBound {
            joined =
                min(joined.lowerBound, ranges[last].lowerBound)..<max(joined.upperBound, ranges[last].upperBound)
            last += 1
        }
        ranges.replaceSubrange(first..<last, with: CollectionOfOne(joined))
    }

    /// The sequence needs work (again).
    package mutating func remove(_ sequence: UInt64) {
        guard sequence > 0 else { return }
        let index = firstRange(endingAfter: sequence)
        guard index < ranges.count, ranges[index].lowerBound <= sequence else { return }
        let range = ranges[index]
        let rest = [range.lowerBound..<sequence, (sequence + 1)..<range.upperBound].filter { !$0.isEmpty }
        ranges.replaceSubrange(index...index, with: rest)
    }

    package func intersection(_ other: SequenceRanges) -> SequenceRanges {
        var common: [Range<UInt64>] = []
        var mine = ranges[...]
        var theirs = other.ranges[...]
        while let left = mine.first, let right = theirs.first {
            if left.overlaps(right) { common.append(left.clamped(to: right)) }
            if left.upperBound < right.upperBound { mine.removeFirst() } else { theirs.removeFirst() }
        }
        return SequenceRanges(common)
    }

    private func firstRange(endingAfter sequence: UInt64) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > sequence { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
