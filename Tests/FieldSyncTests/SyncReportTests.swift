import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldSync
@testable import Replication

/// How documents that were exchanged are counted.
@Suite struct SyncReportTests {
    private static let refusal = ReplicationError(code: 10_403, message: "no")

    private func document(
        _ flags: DocumentFlags = [], error: (any Error)? = nil, in collection: String = "sites", wasHere: Bool = true
    ) -> ReplicatedDocument {
        ReplicatedDocument(
            id: "site-1", flags: flags, error: error, scope: RecordKind.scope, collection: collection, wasHere: wasHere)
    }

    private func report(_ documents: ReplicatedDocument..., isPush: Bool = false) -> SyncReport {
        var report = SyncReport()
        for document in documents { report.add(document, isPush: isPush) }
        return report
    }

    @Test func whatWentAndWhatCameAreApart() {
        let sent = report(document(), document(.deleted), document(), isPush: true)
        #expect(
            sent.counts.pushed == [.site: 2] && sent.counts.pushedDeletions == [.site: 1] && sent.counts.pulled.isEmpty)
        let received = report(document(), document(.deleted))
        #expect(
            received.counts.pulled == [.site: 1] && received.counts.pulledDeletions == [.site: 1]
                && received.counts.pushed.isEmpty)
        #expect(!sent.isEmpty && SyncReport().isEmpty)
    }

    /// A gateway may announce again a record that an earlier sync took.
    @Test(arguments: [true, false]) func onlyWhatWasHereIsTakenAway(wasHere: Bool) {
        #expect(report(document(.accessRemoved, wasHere: wasHere)).counts.purged == (wasHere ? [.site: 1] : [:]))
    }

    @Test func aRefusalIsNamedWithItsReason() throws {
        let failure = try #require(report(document(error: Self.refusal), isPush: true).failures.first)
        #expect(failure.isPush && failure.code == 10_403 && failure.reason == "no" && !failure.isConflict)
        #expect(failure.reference == RecordReference(.site, id: "site-1"))
    }

    /// Of a gateway whose disk is full nothing is in the outbox, and nothing can be mended.
    @Test(arguments: [10_503, 10_429, 10_502]) func troubleOfTheGatewayIsNoRefusal(code: Int) {
        let trouble = ReplicationError(code: code, message: "The gateway's disk is full")
        #expect(report(document(error: trouble), isPush: true).isEmpty)
        #expect(report(document(error: trouble)).failures.count == 1)
    }

    /// It is of what this user has sent, and waits in the outbox.
    @Test func whoHasSentTooMuchHearsItAtOnce() throws {
        let refusal = ReplicationError(code: 10_507, message: "You have stored as much")
        let failure = try #require(report(document(error: refusal), isPush: true).failures.first)
        #expect(failure.isPush && failure.message.text.hasPrefix("you have sent as much within a day"))
    }

    /// Space is to be freed on the computer that lacks it.
    @Test func aFullDiskIsThatOfTheComputerWhichLacksRoom() throws {
        let here = ReplicationError(domain: ReplicationError.posixDomain, code: 28, message: "The disk has no room")
        let there = ReplicationError(code: 10_507, message: "")
        let messages: [String] = [here, there].map { report(document(error: $0)).failures.first?.message.text ?? "" }
        #expect(messages[0].hasPrefix("the disk of this laptop has no room"), "\(messages)")
        #expect(messages[1].hasPrefix("the gateway has no room left"), "\(messages)")
    }

    /// What could not be reported, since the database failed, is in the next report.
    @Test func whatIsGivenBackIsCountedWithTheRest() throws {
        let recorder = SyncRecorder()
        let digest = try #require(BlobDigest("sha1-7+sK4tWR8tXZ4+mBbnqjBZPzbn8="))
        func resolve(_ ids: String...) {
            for id in ids {
                recorder.add(
                    ResolvedDocumentConflict(scope: RecordKind.scope, collection: "sites", id: id, winner: .merged))
            }
            recorder.add(TransferredAttachment(isPush: false, digest: digest, bytes: 5))
        }
        resolve("a", "b")
        let taken = recorder.take()
        #expect(recorder.take().resolved.isEmpty)
        resolve("b", "c")
        recorder.giveBack(taken)
        let all = recorder.take()
        #expect(all.resolved.map(\.id) == ["a", "b", "c"])
        #expect(all.report.receivedPhotos.count == 2 && all.report.receivedPhotos.bytes == 10)
    }

    @Test func documentsOfOthersAreNoRecords() {
        #expect(report(document(in: "other"), document(error: Self.refusal, in: "other"), isPush: true).isEmpty)
    }

    /// The notes of a laptop last longer than a version.
    @Test func whatAnEarlierVersionLeftOutIsEmpty() throws {
        var written = try JSONObject(parsing: Array(JSONEncoder().encode(SyncReport())))
        for member in ["handedOver", "awaited", "unnamed"] { written[member] = nil }
        let read = try JSONDecoder().decode(SyncReport.self, from: Data(written.bytes))
        #expect(read == SyncReport())
        var report = SyncReport()
        report.waiting.awaited = 2
        #expect(try JSONDecoder().decode(SyncReport.self, from: JSONEncoder().encode(report)) == report)
    }

    /// Another version of the program reads and writes the notes beside this one.
    @Test func aReportIsOneObjectWithoutParts() throws {
        var report = SyncReport()
        (report.secondsAhead, report.unnotedBecause) = (1, "no room")
        (report.waiting.inQuarantine, report.waiting.refusedDeletions) = (2, 3)
        let written = try JSONObject(parsing: Array(JSONEncoder().encode(report)))
        let names = [
            "awaited", "by", "changedApprovals", "changedByOthers", "deleted", "end", "failures", "followed",
            "handedOver", "inQuarantine", "merged", "milliseconds", "pulled", "pulledDeletions", "purged", "pushed",
            "pushedDeletions", "quarantined", "receivedPhotos", "refused", "refusedDeletions", "repeated", "returned",
            "secondsAhead", "sentPhotos", "undecided", "unnamed", "unnotedBecause",
        ]
        #expect(written.members.map(\.key).sorted() == names)
    }

    @Test func twoReportsMakeOne() {
        var sum = report(document(), isPush: true)
        sum.secondsAhead = 90_000
        var later = report(document(), document(.deleted), isPush: true)
        later.counts.undecided = [.site: 1]
        later.waiting.quarantined = 2
        later.milliseconds = 7
        sum.add(later)
        #expect(
            sum.counts.pushed == [.site: 2] && sum.counts.pushedDeletions == [.site: 1]
                && sum.counts.undecided == [.site: 1])
        #expect(sum.waiting.quarantined == 2 && sum.milliseconds == 7 && sum.secondsAhead == 90_000)
    }

    /// An approval that changed twice is named as it is now.
    @Test func theLaterLineOfARecordCounts() {
        func named(_ id: String, _ line: String) -> SyncReport.NamedRecord {
            SyncReport.NamedRecord(reference: RecordReference(.inspection, id: id), line: line)
        }
        var sum = SyncReport()
        sum.records.changedApprovals = [named("a", "1 changed"), named("b", "1 new")]
        var later = SyncReport()
        later.records.changedApprovals = [named("a", "2 changed")]
        sum.add(later)
        #expect(sum.records.changedApprovals == [named("b", "1 new"), named("a", "2 changed")])
    }
}
