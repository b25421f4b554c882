import DocumentStore
import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

/// A record and what belongs to it are changed together.
@Suite struct RecordDraftTests {
    private struct Failure: Error {}

    @Test func whatCannotFollowKeepsTheRecordAsItWas() throws {
        let shell = try Shell()
        let site = try #require(try shell.field.sites.find("site-mill"))
        let draft = RecordDraft(
            site, in: shell.field.sites, session: shell.session, isSaved: true, follow: { _, _ in throw Failure() })
        #expect(throws: Failure.self) { try draft.change { $0.phone = "123" } }
        #expect(!draft.isChanged && draft.record.phone == nil)
        #expect(try shell.field.sites.find("site-mill")?.phone == nil)
    }

    /// A change that is rolled back is none that the person has seen.
    @Test func whatIsRolledBackWasNeverSeen() async throws {
        let shell = try Shell()
        _ = try await shell.type("show site-mill")
        let reference = RecordReference(.site, id: "site-mill")
        let seen = try #require(shell.session.shown.records[reference])
        let site = try #require(try shell.field.sites.find("site-mill"))
        let draft = RecordDraft(
            site, in: shell.field.sites, session: shell.session, isSaved: true, follow: { _, _ in throw Failure() })
        #expect(throws: Failure.self) { try draft.change { $0.phone = "123" } }
        #expect(shell.session.shown.records[reference] == seen)
        #expect(throws: Failure.self) {
            try shell.field.database.inBatch {
                _ = try shell.field.sites.update("site-mill", by: shell.session.author()) { $0.phone = "456" }
                _ = try shell.field.sites.update("site-mill", by: shell.session.author()) { $0.phone = "789" }
                throw Failure()
            }
        }
        #expect(shell.session.shown.records[reference] == seen)
        #expect(try await shell.type("edit site-mill phone=12345 --yes").contains("Saved"))
    }

    @Test func whatFollowsIsGivenBothVersions() throws {
        let shell = try Shell()
        let site = try #require(try shell.field.sites.find("site-mill"))
        var phones: [String?] = []
        let draft = RecordDraft(
            site, in: shell.field.sites, session: shell.session, isSaved: true,
            follow: { phones += [$0.phone, $1.phone] })
        try draft.change { $0.phone = "123" }
        #expect(phones == [nil, "123"])
    }
}
