import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell
@testable import FieldSync

/// A sync in sentences: deletions as such, and records that were changed on both sides by name.
@Suite struct SyncTextTests {
    private let reference = RecordReference(.inspection, id: "inspection-a")

    @Test func whoIsTriedIsNamed() {
        let line = "Trying gateway.example.org:4984 … Ctrl-C stops. Your records are safe here."
        #expect(SyncProgressText.trying(URL(string: "wss://gateway.example.org:4984/field")) == line)
        #expect(SyncProgressText.trying(nil).hasPrefix("Trying the gateway … "))
    }

    /// As the outbox does: without the command a worker knows the fault but not the remedy.
    @Test(arguments: [true, false]) func aFailureNamesTheCommandThatHelps(isPush: Bool) throws {
        let message =
            isPush
            ? RefusalText.message(code: 10_409, reason: "conflict", of: RefusedDetails(isNew: true))
            : RefusalText.message(ofFetch: 10_413, reason: "too large")
        let failure = SyncReport.Failure(isPush: isPush, reference: reference, message: message, code: 10_413)
        let line = try #require(SyncFailureText.failures([failure]).first)
        #expect(line == "  inspection a: " + AdviceText.text(message))
        #expect(!isPush || line != "  inspection a: \(message.text)")
    }

    @Test func photosAreCountedWithTheirSize() {
        var report = SyncReport()
        report.sentPhotos.count = 2
        report.sentPhotos.bytes = 1_887_437
        report.counts.pulled = [.inspection: 1]
        report.receivedPhotos.count = 1
        report.receivedPhotos.bytes = 1_025
        #expect(SyncText.lines(report) == ["Sent 2 photos (1.8 MB).", "Received 1 inspection and 1 photo (2 KB)."])
    }

    @Test func deletionsAreCountedAsDeletions() {
        var report = SyncReport()
        report.counts.pushed = [.site: 1]
        report.counts.pushedDeletions = [.inspection: 1, .finding: 2]
        report.counts.pulledDeletions = [.finding: 1]
        #expect(
            SyncText.lines(report) == [
                "Sent 1 site.", "Sent the deletion of 1 inspection and 2 findings.", "Deleted by others: 1 finding.",
            ])
    }

    /// Also where a sync brings their records back.
    @Test func editsInQuarantineAreNamedByEachSync() {
        var report = SyncReport()
        report.counts.pulled = [.site: 2]
        report.waiting.inQuarantine = 3
        #expect(SyncText.lines(report) == ["Received 2 sites.", "3 edits of yours are in quarantine: quarantine"])
        report.waiting.quarantined = 1
        #expect(
            SyncText.lines(report).last == "1 edit of yours had not been sent and is in quarantine: quarantine")
    }

    @Test func whatWasDoneByOthersAsWellIsNoConflict() {
        var report = SyncReport()
        report.records.merged = [
            MergedRecord(
                reference: RecordReference(.assignment, id: "assignment-4"), title: "Old mill, ines, due 2026-03-04",
                outcome: .doneByOthers, subjects: "", lines: [])
        ]
        #expect(
            SyncText.lines(report) == [
                "The assignment assignment-4, Old mill, ines, due 2026-03-04, was given to somebody else, who has done it, too. "
                    + "Your inspection of it stays."
            ])
    }

    @Test func whatWasChangedOnBothSidesIsNamed() {
        var report = SyncReport()
        report.records.merged = [
            MergedRecord(
                reference: reference, title: "Old mill, 2026-03-04", outcome: .united, subjects: "", lines: []),
            MergedRecord(
                reference: reference, title: "Old mill, 2026-03-04", outcome: .contested, subjects: "Score",
                lines: ["Score: now 80"]),
        ]
        report.records.returned = [ReturnedInspection(reference: reference, title: "Old mill", review: "which door?")]
        #expect(
            SyncText.lines(report) == [
                "1 inspection was returned to you:", "  a, Old mill: which door?",
                "The inspection a, Old mill, 2026-03-04, was changed on both sides; both changes are in it.",
                "The inspection a, Old mill, 2026-03-04, was changed on both sides. To decide: Score; see: conflicts",
                "  Score: now 80",
            ])
    }

    @Test func whatOthersDidToOnesOwnRecordsIsNamed() {
        var report = SyncReport()
        report.records.changedByOthers = [
            SyncReport.NamedRecord(reference: reference, line: "eve changed your inspection a, Old mill: notes")
        ]
        #expect(SyncText.lines(report) == ["eve changed your inspection a, Old mill: notes; see: log a"])
        report.cut(to: 0)
        #expect(SyncText.lines(report) == ["Others have changed 1 record of yours: today"])
    }

    /// A report that does not fit is cut, down to no names at all.
    @Test(arguments: [0, 2]) func whatIsNotNamedIsCounted(named: Int) {
        var report = SyncReport()
        let records = (0..<12).map { SyncReport.NamedRecord(reference: reference, line: "inspection \($0)") }
        (report.records.deleted, report.records.changedApprovals, report.records.followed) = (records, records, records)
        (report.records.handedOver, report.records.repeated) = (records, records)
        report.records.returned = records.map {
            ReturnedInspection(reference: $0.reference, title: $0.line, review: nil)
        }
        report.cut(to: named)
        let text = SyncText.lines(report).joined(separator: "\n")
        let rest = named == 0 ? "Which" : "and 10 more"
        #expect(text.contains("  \(rest): list --deleted\nSee what it was: show ID."), "\(text)")
        #expect(text.contains("12 inspections were returned to you:\n"), "\(text)")
        #expect(text.contains("  \(rest): list --status returned\n"), "\(text)")
        #expect(text.contains("12 assignments of yours were given to somebody else:\n"), "\(text)")
        #expect(text.contains("  \(rest): list assignments\n"), "\(text)")
        #expect(text.contains("12 assignments have several inspections:\n"), "\(text)")
        #expect(text.contains("  \(rest): list assignments\nOne is enough."), "\(text)")
        #expect(text.contains("12 approved inspections are not as approved:\n"), "\(text)")
        #expect(text.contains("  \(rest): today\nSee what: show ID"), "\(text)")
    }

    /// A merged record is in no list of conflicts.
    @Test func whatIsNotShownIsCountedByWhatIsToBeDecided() {
        func lines(_ outcomes: [MergedRecord.Outcome], unnamed: SyncReport.Unnamed = .init()) -> String? {
            var report = SyncReport()
            report.records.merged = outcomes.map {
                MergedRecord(reference: reference, title: "Old mill", outcome: $0, subjects: "", lines: [])
            }
            report.unnamed = unnamed
            return SyncText.lines(report).last
        }
        let shown = [MergedRecord.Outcome](repeating: .united, count: 5)
        #expect(lines(shown + [.united]) == "1 more record was changed on both sides")
        #expect(
            lines(shown + [.united, .contested, .contested])
                == "3 more records were changed on both sides, 2 of them to decide: conflicts")
        var unnamed = SyncReport.Unnamed()
        (unnamed.merged, unnamed.contested) = (1_000, 400)
        #expect(
            lines(shown + [.contested], unnamed: unnamed)
                == "1,001 more records were changed on both sides, 401 of them to decide: conflicts")
    }

    private static let notYours =
        "The district mill is not one of yours. Move it to one that is (edit ... district=CODE), "
        + "or ask your administrator."

    @Test func refusalsAreInPlainText() {
        let message = RefusalText.message(
            code: 10_403, reason: "sg missing channel access", of: RefusedDetails(kind: .site, district: "mill"))
        #expect(AdviceText.text(message) == Self.notYours)
        #expect(
            RefusalText.message(code: 10_403, reason: "sg missing role", of: RefusedDetails(kind: .inspection))
                == "Only a supervisor may approve or return an inspection. Ask one to do it.")
        #expect(
            AdviceText.text(
                RefusalText.message(
                    code: 10_403, reason: "the district mill is not one of yours", of: RefusedDetails(kind: .site)))
                == Self.notYours)
        #expect(
            RefusalText.message(code: 10_403, reason: "only a supervisor approves or returns inspections")
                == "Only a supervisor approves or returns inspections. Ask one to do it.")
        #expect(
            RefusalText.message(code: 10_403, reason: "no bad sites")
                == "you may not write this record (the gateway says: no bad sites)")
        // The number is the gateway's, without what Couchbase adds to it.
        for code in [400, 10_400] {
            #expect(
                RefusalText.message(code: code, reason: "bad name")
                    == "the gateway answered 400 (the gateway says: bad name)")
            #expect(RefusalText.message(ofFetch: code, reason: "").text.hasSuffix(", error 400"))
        }
    }
}
