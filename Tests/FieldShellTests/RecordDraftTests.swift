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
