import Synchronization
import Testing

@testable import FieldRecords

@Suite struct PortionsTests {
    /// Portions of two numbers, and a count of those that were read.
    private final class Numbers: Sendable {
        private let count = Mutex(0)

        var read: Int { count.withLock { $0 } }

        func portions(of numbers: Range<Int>) -> Portions<Int> {
            let first = Array(numbers.prefix(2))
            count.withLock { $0 += first.count }
            let rest = numbers.dropFirst(2)
            return rest.isEmpty ? Portions(first) : Portions(first) { self.portions(of: rest) }
        }
    }

    @Test func nothingIsReadBeforeItIsRequested() throws {
        let numbers = Numbers()
        let doubled = try numbers.portions(of: 0..<7).map { $0.map { 2 * $0 } }
        #expect(doubled.first == [0, 2] && numbers.read == 2)
        var seen: [[Int]] = []
        try doubled.forEach { portion in
            seen.append(portion)
            #expect(numbers.read == min(2 * seen.count, 7))
        }
        #expect(seen == [[0, 2], [4, 6], [8, 10], [12]])
    }

    /// A portion of which nothing is left does not end the list, and is not shown as an empty one.
    @Test(arguments: [0, 1, 2, 5, 6, 7, 8, 9]) func whatIsLeftOutEndsNothing(first: Int) throws {
        let left = try Numbers().portions(of: 0..<9).map { $0.filter { $0 >= first } }
        #expect(try left.all() == Array(first..<9))
        #expect(left.isEmpty == (first == 9))
        try left.forEach { #expect(!$0.isEmpty || first == 9 || first == 8) }
        let ends = try Numbers().portions(of: 0..<9).map { $0.filter { $0 < first } }
        #expect(try ends.all() == Array(0..<first))
    }

    @Test func theStateGoesFromPortionToPortion() throws {
        let sums = try Numbers().portions(of: 1..<6).map(from: 0) { sum, numbers in
            numbers.map { number in
                sum += number
                return sum
            }
        } atEnd: {
            [-$0]
        }
        #expect(try sums.all() == [1, 3, 6, 10, 15, -15])
        // The list may be gone through again.
        #expect(try sums.all() == [1, 3, 6, 10, 15, -15])
        let none = try Portions<Int>([]).map(from: 7) { _, numbers in
            numbers
        } atEnd: {
            [$0]
        }
        #expect(try none.all() == [7])
    }

    @Test func aListIsBegunWhenThoseBeforeItHaveEnded() throws {
        let numbers = [Numbers(), Numbers(), Numbers()]
        let lists: [@Sendable () throws -> Portions<Int>] = [
            { numbers[0].portions(of: 0..<3) },
            { Portions([]) },
            { numbers[1].portions(of: 3..<5) },
            { try numbers[2].portions(of: 5..<9).map { $0.filter { $0 > 6 } } },
            { Portions([]) },
        ]
        let chain = try Portions(chaining: lists[...])
        #expect(chain.first == [0, 1] && numbers.map(\.read) == [2, 0, 0])
        var seen: [[Int]] = []
        try chain.forEach { portion in
            seen.append(portion)
            if portion == [2] { #expect(numbers[1].read == 0) }
            if portion == [3, 4] { #expect(numbers[2].read == 0) }
        }
        #expect(seen.flatMap(\.self) == [0, 1, 2, 3, 4, 7, 8])
        #expect(try Portions(chaining: lists[4...]).isEmpty && Portions(chaining: lists[..<0]).all().isEmpty)
    }

    @Test(arguments: [0, 1, 2, 3, 4]) func whatIsInMemoryComesInPortionsOfOneSize(count: Int) throws {
        var sizes: [Int] = []
        let portions = Portions(Array(0..<count)[...], by: 2)
        try portions.forEach { sizes.append($0.count) }
        #expect(sizes == [[0], [1], [2], [2, 1], [2, 2]][count])
        #expect(try portions.all() == Array(0..<count))
    }
}
