import FieldModels
import FieldRecords
import Testing

@testable import FieldSync

/// What a sync reports of pushes that were refused and that need nobody any more.
@Suite struct SettledRefusalTests {
    private static let record = RecordReference(.site, id: "site-1")

    private static func report(isPush: Bool = true, code: Int) -> SyncReport {
        var report = SyncReport()
        report.failures = [
            SyncReport.Failure(isPush: isPush, reference: record, message: "no", title: nil, code: code, reason: nil)
        ]
        return report
    }

    /// Whether a push or the revocation of its record comes first is chance; afterwards the edit is in the quarantine, and
    /// the outbox is empty.
    @Test(
        arguments: [
            (true, 10_403, [record], false), (true, 10_403, [], true), (true, 10_409, [], false),
            (false, 10_403, [record], true), (true, 10_403, [RecordReference(.site, id: "site-2")], true),
        ] as [(Bool, Int, Set<RecordReference>, Bool)])
    func whatWasTakenAwayIsRefusedNoMore(isPush: Bool, code: Int, gone: Set<RecordReference>, isReported: Bool) {
        var report = Self.report(isPush: isPush, code: code)
        report.forgetSettled([], gone: gone)
        #expect(report.failures.isEmpty != isReported)
    }

    /// A gateway that was restored refuses what comes back as the worker's own; the same sync sends that.
    @Test(arguments: [(true, false), (false, true)])
    func whatTheSameSyncSendsOnceMoreIsRefusedNoMore(isPush: Bool, isReported: Bool) {
        var report = Self.report(isPush: isPush, code: 10_403)
        report.forgetRefusals(of: [RecordReference(.site, id: "site-2")])
        #expect(report.failures.count == 1)
        report.forgetRefusals(of: [Self.record])
        #expect(report.failures.isEmpty != isReported)
    }
}
