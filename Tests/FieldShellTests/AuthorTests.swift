import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

/// In whose name a laptop writes.
@Suite struct AuthorTests {
    /// The gateway takes no change of a record without a name, and the person would have to give it up.
    @Test func whereSettingsWereLostItIsTheOneWhoseRecordsAreHere() async throws {
        let shell = try Shell()
        #expect(try shell.session.author().name == nil)
        try shell.field.signIn.noteFirst(owner: "mara")
        #expect(try shell.session.author().name == "mara")
        _ = try await shell.type("edit mill name=Mill")
        #expect(try shell.field.sites.find("site-mill")?.envelope.changedBy == "mara")
        try shell.signIn("ines")
        #expect(try shell.session.author().name == "ines")
    }
}
