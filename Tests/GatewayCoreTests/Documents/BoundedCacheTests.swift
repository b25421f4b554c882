import SeededRandom
import Testing

@testable import GatewayCore

/// The cache keeps the last used entries, up to its limits.
@Suite struct BoundedCacheTests {
    private static let overhead = 300

    @Test func theOldestGoFirst() {
        let cache = BoundedCache<Int, String>(bytes: 10 * (Self.overhead + 100))
        for key in 0..<25 { cache.insert("v\(key)", for: key, bytes: 100) }
        #expect(cache.count == 10)
        #expect(cache[14] == nil && cache[15] == "v15" && cache[24] == "v24")
    }

    /// Many clients ask for the same difference, long after it was made.
    @Test func whatIsReadStays() {
        let cache = BoundedCache<Int, String>(bytes: 10 * (Self.overhead + 100))
        for key in 0..<100 {
            cache.insert("v\(key)", for: key, bytes: 100)
            #expect(cache[0] == "v0")
        }
        #expect(cache.count == 10 && cache[91] == "v91" && cache[90] == nil)
    }

    @Test func whatIsInsertedAgainIsNew() {
        let cache = BoundedCache<Int, String>(bytes: 3 * (Self.overhead + 100))
        for key in [1, 2, 3, 1, 4] { cache.insert("v\(key)", for: key, bytes: 100) }
        #expect(cache[1] == "v1" && cache[2] == nil && cache.count == 3)
    }

    /// As a slow list does it: the same use of a cache, step by step.
    @Test func theOrderIsThatOfTheLastUse() {
        let cache = BoundedCache<Int, Int>(bytes: 8 * (Self.overhead + 100))
        var expected: [Int] = []
        var random = SeededGenerator(seed: 7)
        for step in 0..<5_000 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                cache.insert(step, for: key, bytes: 100)
                expected.removeAll { $0 == key }
                expected = Array((expected + [key]).suffix(8))
            case 4..<7:
                let isThere = expected.contains(key)
                #expect((cache[key] != nil) == isThere)
                expected.removeAll { $0 == key }
                if isThere { expected.append(key) }
            default:
                cache.removeAll { $0 == key }
                expected.removeAll { $0 == key }
            }
            #expect(cache.count == expected.count)
        }
    }

    @Test func whatIsTooLargeIsLeftOut() {
        let cache = BoundedCache<Int, String>(bytes: 8_000)
        cache.insert("small", for: 1, bytes: 1_000)
        cache.insert("large", for: 2, bytes: 1_001)
        #expect(cache[1] == "small" && cache[2] == nil)
    }

    @Test func aNewValueReplacesTheOld() {
        let cache = BoundedCache<Int, String>(bytes: 3 * (Self.overhead + 100))
        for round in 0..<100 { cache.insert("round \(round)", for: 1, bytes: 100) }
        for key in 2...3 { cache.insert("v\(key)", for: key, bytes: 100) }
        #expect(cache.count == 3 && cache[1] == "round 99")
    }

    @Test func whatIsRemovedMakesRoom() {
        let cache = BoundedCache<Int, String>(bytes: 4 * (Self.overhead + 100))
        for round in 0..<1_000 {
            for key in 0..<4 { cache.insert("v", for: round * 4 + key, bytes: 100) }
            cache.removeAll { $0 % 2 == 0 }
        }
        #expect(cache.count == 2)
        for key in [-1, -2] { cache.insert("v", for: key, bytes: 100) }
        #expect(cache.count == 4)
    }
}
