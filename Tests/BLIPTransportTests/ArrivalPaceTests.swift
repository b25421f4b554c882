import NIOCore
import Testing

@testable import BLIPTransport

/// How slowly something may come: 1,000 bytes in 10 s, here.
@Suite struct ArrivalPaceTests {
    private static let histories: [(name: String, arrivals: [(bytes: Int, seconds: Int64)], isKept: Bool)] = [
        ("a byte a second", .init(repeating: (1, 1), count: 10), false),
        ("nothing at all", [(0, 10)], false),
        ("nothing for less than the window", [(0, 9)], true),
        ("a poor network", .init(repeating: (200, 1), count: 60), true),
        ("just enough", .init(repeating: (100, 1), count: 60), true),
        ("just too little", .init(repeating: (99, 1), count: 10), false),
        ("a pause of half the window", [(1_000, 5), (0, 4), (1_000, 2), (0, 5), (1_000, 4)], true),
        ("much at first, then drops", [(1 << 20, 1), (1, 9), (1, 10)], false),
        ("it came while nobody was waiting", [(1, 0), (1, 0), (1, 0)], true),
    ]

    @Test(arguments: histories.indices) func windowsAreJudged(place: Int) {
        let history = Self.histories[place]
        var pace = ArrivalPace(window: .seconds(10), bytes: 1_000)
        let isKept = history.arrivals.allSatisfy { pace.note($0.bytes, waited: .seconds($0.seconds)) }
        #expect(isKept == history.isKept, "\(history.name)")
    }

    /// What honest clients do on poor networks, by the limit that counts.
    @Test func aPhoneOnAPoorNetworkIsFastEnough() {
        var pace = TransportLimits.arrivalPace
        // 2 KB a second for an hour, with a silence of half a minute in every other one.
        #expect((0..<3_600).allSatisfy { pace.note($0 % 120 < 30 ? 0 : 2_000, waited: .seconds(1)) })
        var drip = TransportLimits.arrivalPace
        #expect((0..<60).contains { _ in !drip.note(1, waited: .seconds(1)) })
    }
}
