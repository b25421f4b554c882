import FieldModels
import FieldRecords

/// A sync in sentences.
enum SyncWords {
    static func lines(_ report: SyncReport) -> [String] {
        var lines: [String] = []
        if let sent = list(report.pushed) { lines.append("Sent \(sent).") }
        if let received = list(report.pulled) { lines.append("Received \(received).") }
        if let purged = list(report.purged) {
            lines.append("Taken from this laptop, because you no longer have access: \(purged).")
        }
        if report.quarantined > 0 {
            lines.append("\(report.quarantined.of("edit")) of yours had not been sent and is kept aside: quarantine")
        }
        if report.conflicts > 0 {
            lines.append("\(report.conflicts.of("record")) had been changed on both sides; one version was kept.")
        }
        lines += refused(report)
        lines += report.failures.prefix(ShellLimits.candidates).map {
            "  \($0.reference.kind.rawValue) \($0.reference.shortID): \($0.words)"
        }
        switch report.end {
        case .complete where !lines.isEmpty: return lines
        case .complete:
            return [report.by == .command ? "Nothing new on either side." : "Everything is exchanged already."]
        case .stopped: return lines + ["Stopped. The next sync goes on from here."]
        case .stoppedOffline: return lines + ["Stopped. The gateway was not reached; your records are safe here."]
        }
    }

    /// What was refused now, and what has been waiting since.
    private static func refused(_ report: SyncReport) -> [String] {
        let now = report.failures.filter(\.isPush).count
        let before = max(0, report.refused - now)
        let advice = "why, and since when: outbox. Change what is wrong with edit; the next sync tries it again."
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

    /// `2 inspections and 1 finding`.
    private static func list(_ counts: [RecordKind: Int]) -> String? {
        let parts = RecordKind.allCases.compactMap { kind in counts[kind].map { $0.of(kind.rawValue) } }
        guard let last = parts.last else { return nil }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }
}
