import FieldModels
import Testing

@testable import FieldShell

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
    }

    @Test(arguments: [nil, "", "soon", "2026-11-23T02:20:00Z", "Mon, 99 Nov 2026 02:20:00 GMT"])
    func nothingIsSaidWithoutAGoodDate(date: String?) {
        #expect(ClockCheck.secondsAhead(laptop: Timestamp(secondsSince1970: 0), date: date) == nil)
    }

    @Test func theWarningSaysHowFar() {
        #expect(
            ClockCheck.warning(secondsAhead: 364 * 86_400 + 5).hasPrefix(
                "This laptop's clock is 364 days ahead of the gateway's."))
        #expect(
            ClockCheck.warning(secondsAhead: -2 * 86_400).hasPrefix(
                "This laptop's clock is 2 days behind the gateway's."))
    }

    @Test func aSyncAndTheStatusSayIt() {
        var report = SyncReport()
        report.secondsAhead = 3 * 86_400
        let warning = ClockCheck.warning(secondsAhead: 3 * 86_400)
        #expect(SyncText.lines(report) == [warning, "Nothing new on either side."])
        var status = SyncStatus()
        status.secondsAhead = 3 * 86_400
        #expect(ServiceText.lines(status, unsent: 0).last == warning)
    }
}
