import DocumentValues
import FieldModels
import FieldRecords
import FieldSync

/// A sync in sentences.
enum SyncText {
    static func lines(_ report: SyncReport) -> [String] {
        var lines: [String] = []
        if let sent = list(report.counts.pushed, photos: report.sentPhotos) { lines.append("Sent \(sent).") }
        if let received = list(report.counts.pulled, photos: report.receivedPhotos) {
            lines.append("Received \(received).")
        }
        if let absent = AbsentPhotoText.synced(report.absentPhotos) { lines.append(absent) }
        if let deleted = list(report.counts.pushedDeletions) { lines.append("Sent the deletion of \(deleted).") }
        if let deleted = list(report.counts.pulledDeletions) { lines.append("Deleted by others: \(deleted).") }
        let unnamed = report.unnamed
        lines += Self.deleted(report.records.deleted, unnamed: unnamed.deleted)
        lines += purged(report)
        lines += quarantined(report)
        lines += returned(report.records.returned, unnamed: unnamed.returned)
        lines += changedByOthers(report.records.changedByOthers, unnamed: unnamed.changedByOthers)
        lines += merged(report)
        lines += handedOver(report.records.handedOver, unnamed: unnamed.handedOver)
        lines += repeated(report.records.repeated, unnamed: unnamed.repeated)
        lines += followed(report.records.followed, unnamed: unnamed.followed)
        lines += changedApprovals(report.records.changedApprovals, unnamed: unnamed.changedApprovals)
        if let undecided = list(report.counts.undecided) {
            let has = report.counts.undecided.values.reduce(0, +) == 1 ? "has" : "have"
            lines.append("\(undecided) \(has) something to decide: conflicts")
        }
        lines += SyncFailureText.refused(report)
        lines += SyncFailureText.failures(report.failures.filter(\.isPush))
        lines += SyncFailureText.awaited(report.waiting.awaited)
        lines += SyncFailureText.notFetched(report.failures.filter { !$0.isPush }, unnamed: unnamed.notFetched)
        if let ahead = report.secondsAhead { lines.append(ServiceText.clockWarning(secondsAhead: ahead)) }
        let lacking = report.lacking.map(Self.lacking)
        lines += lacking
        let isNews = lines.count > lacking.count + (report.secondsAhead == nil ? 0 : 1)
        if let why = report.unnotedBecause { lines.append("The status does not show this sync: \(why)") }
        switch report.end {
        case .complete where isNews: return lines
        case .complete:
            return lines + [report.by == .command ? "Nothing new on either side." : "Everything is exchanged already."]
        case .stopped: return lines + ["Stopped. The next sync goes on from here."]
        case .stoppedOffline: return lines + ["Stopped. The gateway was not reached; your records are safe here."]
        }
    }

    private static func lacking(_ kind: RecordKind) -> String {
        "The gateway has no collection for \(kind.plural) yet: they stay on this laptop. Its administrator adds it: "
            + "fieldbook-gateway field init"
    }

    /// Work of a sync service that the records do not show.
    static func news(_ report: SyncReport) -> [String] {
        purged(report) + quarantined(report) + handedOver(report.records.handedOver, unnamed: report.unnamed.handedOver)
            + SyncFailureText.refused(report) + SyncFailureText.failures(report.failures)
    }

    private static func purged(_ report: SyncReport) -> [String] {
        guard let purged = list(report.counts.purged) else { return [] }
        return ["Taken from this laptop, because you no longer have access: \(purged)."]
    }

    /// A sync that brings records back does not restore the quarantined edits of the user.
    private static func quarantined(_ report: SyncReport) -> [String] {
        let added = report.waiting.quarantined
        let count = added > 0 ? added : report.waiting.inQuarantine ?? 0
        guard count > 0 else { return [] }
        let why = added > 0 ? "had not been sent and " : ""
        return ["\(count.of("edit")) of yours \(why)\(count == 1 ? "is" : "are") in quarantine: quarantine"]
    }

    /// The user's own records that others have deleted, if a sync service has brought the deletions.
    static func deletedByOthers(_ records: [DeletedRecord]) -> [String] {
        guard let counts = list(Dictionary(grouping: records, by: \.kind).mapValues(\.count)) else { return [] }
        let named = records.map { SyncReport.NamedRecord(reference: $0.reference, line: $0.line) }
        return ["Deleted by others: \(counts)."] + deleted(named, unnamed: 0)
    }

    /// The records that others have deleted, by name, and the command that brings them back.
    private static func deleted(_ records: [SyncReport.NamedRecord], unnamed: Int) -> [String] {
        let count = records.count + unnamed
        guard count > 0 else { return [] }
        let shown = records.prefix(ShellLimits.candidates)
        let rest = count - shown.count
        let id = count == 1 ? records.first?.reference.shortID ?? "ID" : "ID"
        let kind = records.first?.reference.kind
        let isOfOneKind = unnamed == 0 && records.allSatisfy { $0.reference.kind == kind }
        let whose =
            switch isOfOneKind ? kind : nil {
            case .assignment?: "A supervisor can bring"
            case .form?: "The office can bring"
            case .site?, .inspection?, .finding?, .response?, nil: "Bring"
            }
        return shown.map { "  \($0.line)" }
            + more(rest, besides: shown.count, seeing: "list --deleted")
            + ["See what it was: show \(id). \(whose) it back: undo \(id)"]
    }

    /// The inspections and filled forms that a supervisor has returned.
    static func returned(_ inspections: [ReturnedInspection], unnamed: Int = 0) -> [String] {
        let count = inspections.count + unnamed
        guard count > 0 else { return [] }
        let shown = inspections.prefix(ShellLimits.candidates)
        let rest = count - shown.count
        let was = count == 1 ? "was" : "were"
        let kinds = Set(inspections.map(\.reference.kind))
        let (noun, list) =
            kinds == [.response]
            ? ("filled form", "list responses status=returned")
            : (kinds.contains(.response) ? "record" : "inspection", "list --status returned")
        return ["\(count.of(noun)) \(was) returned to you:"]
            + shown.map { inspection in
                let reason = inspection.review?.printableLine.cut(to: ShellLimits.reportedReason)
                return "  \(inspection.reference.shortID), \(inspection.title)" + (reason.map { ": \($0)" } ?? "")
            } + more(rest, besides: shown.count, seeing: list)
    }

    /// Two people would do the same work.
    private static func handedOver(_ assignments: [SyncReport.NamedRecord], unnamed: Int) -> [String] {
        listed(assignments, unnamed: unnamed) { count in
            "\(count.of("assignment")) of yours \(count == 1 ? "was" : "were") given to somebody else:"
        }
    }

    /// Begun on two laptops, each of which did not know of the other.
    private static func repeated(_ assignments: [SyncReport.NamedRecord], unnamed: Int) -> [String] {
        let lines = listed(assignments, unnamed: unnamed) { count in
            "\(count.of("assignment")) \(count == 1 ? "has" : "have") several inspections:"
        }
        return lines.isEmpty ? [] : lines + ["One is enough. Throw another one away: delete ID"]
    }

    private static func listed(
        _ assignments: [SyncReport.NamedRecord], unnamed: Int, heading: (_ count: Int) -> String
    ) -> [String] {
        let count = assignments.count + unnamed
        guard count > 0 else { return [] }
        let shown = assignments.prefix(ShellLimits.candidates)
        return [heading(count)] + shown.map { "  \($0.line)" }
            + more(count - shown.count, besides: shown.count, seeing: "list assignments")
    }

    /// Changes by others in the user's own records, and the command that shows the former values.
    static func changedByOthers(_ records: [SyncReport.NamedRecord], unnamed: Int) -> [String] {
        let shown = records.prefix(ShellLimits.candidates)
        let rest = records.count + unnamed - shown.count
        let more = rest.of(shown.isEmpty ? "record" : "more record")
        return shown.map { "\($0.line); see: log \($0.reference.shortID)" }
            + (rest > 0 ? ["Others have changed \(more) of yours: today"] : [])
    }

    /// Findings that were made while the inspection went to another site, or to another day.
    private static func followed(_ findings: [SyncReport.NamedRecord], unnamed: Int) -> [String] {
        let count = findings.count + unnamed
        guard count > 0 else { return [] }
        let shown = findings.prefix(ShellLimits.candidates)
        let rest = count - shown.count
        let (has, its) = count == 1 ? ("has", "its inspection") : ("have", "their inspections")
        return ["\(count.of("finding")) \(has) the site and the day of \(its) by now:"]
            + shown.map { "  \($0.line)" } + (rest > 0 && !shown.isEmpty ? ["  and \(rest.grouped) more"] : [])
    }

    /// - Parameters:
    ///   - rest: how many of a list are not named, beside those that are.
    ///   - command: where all of them are.
    private static func more(_ rest: Int, besides shown: Int, seeing command: String) -> [String] {
        guard rest > 0 else { return [] }
        return [shown == 0 ? "  Which: \(command)" : "  and \(rest.grouped) more: \(command)"]
    }

    /// The changes that an approval does not cover.
    private static func changedApprovals(_ inspections: [SyncReport.NamedRecord], unnamed: Int) -> [String] {
        let count = inspections.count + unnamed
        guard count > 0 else { return [] }
        let shown = inspections.prefix(ShellLimits.candidates)
        let rest = count - shown.count
        let id = count == 1 ? inspections.first?.reference.shortID ?? "ID" : "ID"
        let what =
            count == 1
            ? "An approved inspection is" : "\(count.grouped) approved inspections are"
        return ["\(what) not as approved:"]
            + shown.map { "  \($0.line)" } + more(rest, besides: shown.count, seeing: "today")
            + ["See what: show \(id)"]
    }

    /// Records that were changed on both sides, and the command that shows the other values.
    private static func merged(_ report: SyncReport) -> [String] {
        let records = report.records.merged
        let rest = records.count + report.unnamed.merged - ShellLimits.candidates
        let shown = records.prefix(ShellLimits.candidates).filter { $0.outcome == .contested }.count
        // A united record is in no list of conflicts.
        let open = report.contested - shown
        let decide = open > 0 ? ", \(open.grouped) of them to decide: conflicts" : ""
        return records.prefix(ShellLimits.candidates).flatMap { record -> [String] in
            let name = "\(record.reference.kind.rawValue) \(record.reference.shortID), \(record.title),"
            switch record.outcome {
            case .united: return ["The \(name) was changed on both sides; both changes are in it."]
            case .doneByOthers:
                return ["The \(name) was given to somebody else, who has done it, too. Your inspection of it stays."]
            // An assignment that was only closed here is deleted as well.
            case .deleted where record.reference.kind == .assignment:
                return ["The assignment \(record.reference.shortID) was deleted by others; what was done for it stays."]
            case .deleted:
                return ["The \(record.reference.kind.rawValue) \(record.reference.shortID) was deleted on both sides."]
            case .contested:
                return ["The \(name) was changed on both sides. To decide: \(record.subjects); see: conflicts"]
                    + record.lines.map { "  \($0)" }
            }
        } + (rest > 0 ? ["\(rest.of("more record")) \(rest == 1 ? "was" : "were") changed on both sides\(decide)"] : [])
    }

    /// `2 inspections, 1 finding and 3 photos (1.8 MB)`.
    private static func list(
        _ counts: [RecordKind: Int], photos: SyncReport.Photos = SyncReport.Photos()
    ) -> String? {
        let records = RecordKind.allCases.compactMap { kind in counts[kind].map { $0.of(kind.rawValue) } }
        let parts = records + (photos.count > 0 ? ["\(photos.count.of("photo")) (\(size(photos.bytes)))"] : [])
        guard let last = parts.last else { return nil }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }

    /// `98 KB`, `1.8 MB`.
    static func size(_ bytes: UInt64) -> String {
        let kilobytes = (bytes + 1_023) / 1_024
        guard kilobytes >= 1_024 else { return "\(kilobytes) KB" }
        let tenths = (bytes * 10 + 524_288) / 1_048_576
        return "\(tenths / 10).\(tenths % 10) MB"
    }
}
