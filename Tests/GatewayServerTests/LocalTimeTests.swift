import Foundation
import GatewayServer
import Testing

/// Times in tables for a person.
@Suite struct LocalTimeTests {
    @Test(arguments: [
        ("2026-11-25T15:00:03Z", "2026-11-25 20:30:03"), ("2026-12-31T23:59:59Z", "2027-01-01 05:29:59"),
        ("never", "never"), ("", ""),
    ])
    func timesAreShownInTheZoneOfWhoReads(time: String, shown: String) throws {
        let zone = try #require(TimeZone(secondsFromGMT: 5 * 3_600 + 1_800))
        #expect(LocalTime.text(time, in: zone) == shown)
    }
}
