import FieldModels
import Testing

@testable import FieldSync

/// A laptop's clock beside the gateway's.
@Suite struct ClockCheckTests {
    private static let gateway = "Mon, 23 Nov 2026 02:20:00 GMT"
    private static let moment: Int64 = 1_795_400_400

    @Test(
        arguments: [
            (0, nil), (86_400, nil), (-86_400, nil), (86_401, 86_401), (364 * 86_400, 364 * 86_400),
            (-40 * 86_400, -40 * 86_400),
        ] as [(Int64, Int64?)])
    func onlyADayOrMoreCounts(difference: Int64, ahead: Int64?) {
        let laptop = Timestamp(secondsSince1970: Self.moment + difference)
        #expect(ClockCheck.secondsAhead(laptop: laptop, date: Self.gateway) == ahead)
        #expect(ClockCheck.isRight(laptop: laptop, date: Self.gateway) == (ahead == nil))
    }

    @Test(arguments: [nil, "", "soon", "2026-11-23T02:20:00Z", "Mon, 99 Nov 2026 02:20:00 GMT"])
    func nothingIsSaidWithoutAGoodDate(date: String?) {
        #expect(ClockCheck.secondsAhead(laptop: Timestamp(secondsSince1970: 0), date: date) == nil)
        #expect(!ClockCheck.isRight(laptop: Timestamp(secondsSince1970: Self.moment), date: date))
    }
}
