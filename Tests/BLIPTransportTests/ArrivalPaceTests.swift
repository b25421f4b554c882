import NIOCore
import Testing

@testable import BLIPTransport

/// How slowly something may come: 1,000 bytes in 10 s, here.
@Suite struct ArrivalPaceTests {
    private typealias History = (name: String, unfinished: Int, arrivals: [(bytes: Int, seconds: Int64)], isKept: Bool)

    private static let much = TransportLimits.memoryStep
    private static let histories: [History] = [
        ("a byte a second", much, .init(repeating: (1, 1), count: 10), false),
        ("nothing at all", much, [(0, 10)], false),
        ("nothing for less than the window", much, [(0, 9)], true),
        ("a poor network", much, .init(repeating: (200, 1), count: 60), true),
        ("just enough", much, .init(repeating: (100, 1), count: 60), true),
        ("just too little", much, .init(repeating: (99, 1), count: 10), false),
        ("a pause of half the window", much, [(1_000, 5), (0, 4), (1_000, 2), (0, 5), (1_000, 4)], true),
        ("much at first, then drops", much, [(1 << 20, 1), (1, 9), (1, 10)], false),
        ("it came while nobody was waiting", much, [(1, 0), (1, 0), (1, 0)], true),
        ("little, and a pause of a window", 30_000, [(100, 10), (0, 10)], false),
        ("little, for less than two windows", 30_000, [(100, 10), (100, 9)], true),
        ("little, and slow now and then", 30_000, [(100, 10), (1_000, 10), (100, 10), (1_000, 10)], true),
        ("just too much to be little", much, [(100, 10)], false),
        ("just little", much - 1, [(100, 10)], true),
    ]

    @Test(arguments: histories.indices) func windowsAreJudged(index: Int) {
        let history = Self.histories[index]
        var pace = ArrivalPace(window: .seconds(10), bytes: 1_000)
        let isKept = history.arrivals.allSatisfy {
            pace.note($0.bytes, waited: .seconds($0.seconds), unfinished: history.unfinished)
        }
        #expect(isKept == history.isKept, "\(history.name)")
    }

    /// What honest clients do on poor networks, by the limit that counts.
    @Test func aPhoneOnAPoorNetworkIsFastEnough() {
        var pace = TransportLimits.arrivalPace
        // 2 KB a second for an hour, with a silence of half a minute in every other one.
        let isKept = (0..<3_600).allSatisfy {
            pace.note($0 % 120 < 30 ? 0 : 2_000, waited: .seconds(1), unfinished: Self.much)
        }
        #expect(isKept)
        var drip = TransportLimits.arrivalPace
        #expect((0..<120).contains { _ in !drip.note(1, waited: .seconds(1), unfinished: 1) })
    }
}
