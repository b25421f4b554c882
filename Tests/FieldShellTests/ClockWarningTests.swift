import FieldSync
import Testing

@testable import FieldShell

/// What a worker reads of a laptop's clock that is far from the gateway's.
@Suite struct ClockWarningTests {
    @Test func theWarningSaysHowFar() {
        #expect(
            ServiceText.clockWarning(secondsAhead: 364 * 86_400 + 5).hasPrefix(
                "This laptop's clock is 364 days ahead of the gateway's."))
        #expect(
            ServiceText.clockWarning(secondsAhead: -2 * 86_400).hasPrefix(
                "This laptop's clock is 2 days behind the gateway's."))
    }

    @Test func aSyncAndTheStatusSayIt() {
        var report = SyncReport()
        report.secondsAhead = 3 * 86_400
        let warning = ServiceText.clockWarning(secondsAhead: 3 * 86_400)
        #expect(SyncText.lines(report) == [warning, "Nothing new on either side."])
        var status = SyncStatus()
        status.secondsAhead = 3 * 86_400
        #expect(ServiceText.lines(status, unsent: 0).last == warning)
    }
}
