import DocumentValues
import FieldModels
import FieldRecords
import FieldSync

/// The records that a sync did not send, or did not fetch, in sentences.
enum SyncFailureText {
    /// The records that were refused now, and those that have been waiting since an earlier refusal.
    static func refused(_ report: SyncReport) -> [String] {
        let now = report.failures.filter(\.isPush).count + report.unnamed.refused
        let before = max(0, report.waiting.refused - now)
        let deletions = report.waiting.refusedDeletions ?? (before == 0 && areDeletions(report) ? now : 0)
        let advice = "why, and since when: outbox. \(ways(deletions: deletions, of: now + before))"
        switch (now, before) {
        case (0, 0): return []
        case (0, _):
            return [
                "\(before.of("record")) refused by the gateway earlier \(before == 1 ? "waits" : "wait") in the outbox; \(advice)"
            ]
        case (_, 0): return ["The gateway refused \(now.of("record")), safe here in the outbox; \(advice)"]
        default:
            return [
                "The gateway refused \(now.of("record")) now and \(before.of("record")) earlier, "
                    + "safe here in the outbox; \(advice)"
            ]
        }
    }

    /// After a restore from a backup the gateway takes each person's work from that person alone.
    static func awaited(_ count: Int) -> [String] {
        guard count > 0 else { return [] }
        let (are, them) = count == 1 ? ("is", "it") : ("are", "them")
        return [
            "\(count.of("record")) of others \(are) not at the gateway as here. The laptops of the people who made \(them) "
                + "bring \(them) back; you need not do anything. See which: outbox"
        ]
    }

    /// The records that stay at the gateway, and are not in the outbox.
    static func notFetched(_ failures: [SyncReport.Failure], unnamed: Int) -> [String] {
        let count = failures.count + unnamed
        guard count > 0 else { return [] }
        let what = count == 1 ? "1 record is" : "\(count.grouped) records are"
        return ["\(what) not here in the gateway's version:"] + Self.failures(failures)
    }

    static func failures(_ failures: [SyncReport.Failure]) -> [String] {
        failures.prefix(ShellLimits.candidates).map { failure in
            let title = failure.title.map { ", \($0)" } ?? ""
            return "  \(failure.reference.kind.rawValue) \(failure.reference.shortID)\(title): "
                + AdviceText.text(failure.message)
        }
    }

    private static let mend = "Change what is wrong with edit; the next sync tries it again."
    private static let wayBack = "To keep a record: outbox discard NUMBER"

    /// A deleted record cannot be edited.
    private static func ways(deletions: Int, of count: Int) -> String {
        if deletions == 0 { return mend }
        return deletions < count ? "\(mend) To keep a deleted record: outbox discard NUMBER" : wayBack
    }

    /// In a report that does not say how many of the refused records are deletions.
    private static func areDeletions(_ report: SyncReport) -> Bool {
        report.unnamed.refused == 0
            && report.failures.filter(\.isPush).allSatisfy { $0.change?.isDeletion == true }
    }
}
