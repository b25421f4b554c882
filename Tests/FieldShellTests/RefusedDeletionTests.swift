import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords
@testable import FieldShell
@testable import FieldSync

/// Deletions that the gateway refused: they have their records' names, and no advice says to edit them.
@Suite struct RefusedDeletionTests {
    private static let reason = "only a supervisor deletes records of others"

    private func failure(_ kind: RecordKind, id: String) -> SyncReport.Failure {
        SyncReport.Failure(
            isPush: true, reference: RecordReference(kind, id: id), message: "refused", title: nil, code: 403,
            reason: Self.reason)
    }

    @Test func aSyncNamesThemAndTheWayBack() async throws {
        let shell = try Shell()
        try shell.acknowledge(.site, "site-mill")
        _ = try await shell.type("delete mill --yes")
        try shell.refuse(.site, "site-mill", Self.reason)
        var report = SyncReport()
        report.failures = [failure(.site, id: "site-mill")]
        try report.explain(shell.field.outbox.all(), in: shell.field)
        report.waiting.refused = 1
        let text = SyncText.lines(report).joined(separator: "\n")
        #expect(text.contains("  site mill, Old mill: "), "\(text)")
        #expect(text.contains("To keep a record: outbox discard NUMBER"), "\(text)")
        #expect(!text.contains("edit"), "\(text)")
    }

    @Test func refusedEditsAreStillEdited() async throws {
        let shell = try Shell()
        try shell.refuse(.site, "site-mill", "the record's phone is not what laptops can read")
        var report = SyncReport()
        report.failures = [failure(.site, id: "site-mill")]
        try report.explain(shell.field.outbox.all(), in: shell.field)
        report.waiting.refused = 1
        #expect(SyncText.lines(report).joined().contains("Change what is wrong with edit"))
    }

    /// Refusals of earlier syncs are counted only; that they are of deletions is known all the same.
    @Test(arguments: [
        (1, 1, ["To keep a record: outbox discard NUMBER"], ["edit"]),
        (2, 1, ["Change what is wrong with edit", "To keep a deleted record: outbox discard NUMBER"], []),
        (2, 0, ["Change what is wrong with edit"], ["discard"]),
        (2, nil, ["Change what is wrong with edit"], ["discard"]),
    ])
    func earlierOnesNameTheirWays(_ refused: Int, _ deletions: Int?, _ said: [String], _ unsaid: [String]) {
        var report = SyncReport()
        report.waiting.refused = refused
        report.waiting.refusedDeletions = deletions
        let text = SyncText.lines(report).joined(separator: "\n")
        #expect(text.contains("refused by the gateway earlier"), "\(text)")
        #expect(said.allSatisfy { text.contains($0) } && !unsaid.contains { text.contains($0) }, "\(text)")
    }

    @Test func theOutboxCountsDeletions() async throws {
        let shell = try Shell()
        _ = try await shell.type("new site Quay --yes")
        let quay = try #require(try shell.field.sites.all().records.first { $0.name == "Quay" }?.id)
        for site in [quay, "site-mill"] { try shell.acknowledge(.site, site) }
        _ = try await shell.type("delete mill --yes")
        for site in [quay, "site-mill"] { try shell.refuse(.site, site, Self.reason) }
        #expect(try OutboxCount.waiting(in: shell.field) == OutboxCount(records: 2, deletions: 1))
    }

    @Test func theSiteThatIsDeletedTooHasItsName() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try shell.field.inspections.all().records.first?.id)
        for (kind, record) in [(RecordKind.inspection, id), (.site, "site-mill")] {
            try shell.acknowledge(kind, record)
        }
        let short = RecordReference.short(id, kind: .inspection)
        _ = try await shell.type("delete \(short) --yes", "delete mill --yes")
        try shell.refuse(.inspection, id, Self.reason)
        let outbox = try await shell.type("outbox", width: 200)
        #expect(outbox.contains("deleted inspection \(short), Old mill, 2026-03-04 routine"), "\(outbox)")
    }
}
