import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// A deletion that was not sent before its record was taken away.
@Suite struct QuarantinedDeletionTests {
    private static func deleted(_ shell: Shell) async throws {
        try shell.acknowledge(.site, "site-mill")
        _ = try await shell.type("delete mill --yes")
        try shell.takeAway(.site, "site-mill")
    }

    @Test func itIsNamedAskedAboutAndUndone() async throws {
        let shell = try Shell()
        try await Self.deleted(shell)
        let shown = try await shell.type("quarantine show 1")
        #expect(shown.contains("Delete the record again, if it is here again: quarantine restore 1"), "\(shown)")
        let absent = try await shell.type("quarantine restore 1")
        #expect(absent.contains("The site mill is not on this laptop, so there is nothing to delete."), "\(absent)")
        // The district is given again.
        let site = Site(id: "site-mill", name: "Old mill", address: Address(), district: try #require(District("hill")))
        try shell.field.sites.add(site, by: try shell.session.author())
        try shell.acknowledge(.site, "site-mill")
        let refused = try await shell.type("quarantine restore 1", "n")
        #expect(
            refused.contains("Delete the site Old mill? ") && refused.contains("Nothing was deleted."), "\(refused)")
        #expect(try shell.field.quarantine.all().count == 1)
        let again = try await shell.type("quarantine restore 1", "y")
        #expect(again.contains("Deleted the site Old mill."), "\(again)")
        #expect(try shell.field.sites.find("site-mill") == nil && shell.field.quarantine.all().isEmpty)
        let deleted = try #require(try shell.field.deletions.all().first)
        #expect(deleted.moment == (try shell.session.author().moment), "others are notified of who did it, and when")
        let undone = try await shell.type("undo mill")
        #expect(try shell.field.sites.find("site-mill")?.name == "Old mill", "\(undone)")
    }

    @Test func itIsForgottenAsADeletion() async throws {
        let shell = try Shell()
        try await Self.deleted(shell)
        let transcript = try await shell.type("quarantine discard 1", "y")
        #expect(transcript.contains("Forget your deletion of the site"), "\(transcript)")
        #expect(transcript.contains("Forgot the deletion of the site"), "\(transcript)")
    }
}

/// A user who deletes another user's record.
@Suite struct DeletionOfOthersTests {
    @Test(arguments: [("kim", true), ("mara", false), ("olga", false)])
    func itIsNamedBefore(user: String, isNamed: Bool) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=80 --yes", "new inspection quay score=70 --yes")
        let records = try shell.field.inspections.all().records.sorted { $0.score ?? 0 < $1.score ?? 0 }
        let olga = Author(name: "olga", moment: Timestamp(secondsSince1970: 1_772_600_000))
        try shell.field.inspections.update(records[1].id, by: olga) { $0.status = .approved }
        try shell.acknowledge(.inspection, records[0].id)
        try shell.signIn(user)
        let short = RecordReference.short(records[0].id, kind: .inspection)
        let transcript = try await shell.type("delete \(short)", "n", "delete \(short) --yes", width: 400)
        let name = "The inspection is mara's, and the gateway lets only supervisors delete records of others."
        #expect(transcript.contains("\(name) Delete the inspection") == isNamed, "\(transcript)")
        #expect(transcript.components(separatedBy: name).count == (isNamed ? 3 : 1), "\(transcript)")
        #expect(try shell.field.inspections.find(records[0].id) == nil)
    }

    /// Also from who has made the record: a slip in the inspector's name is a supervisor's to delete.
    @Test func whatWasMadeForSomebodyElseIsTheirs() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill inspector=eve --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        let short = RecordReference.short(id, kind: .inspection)
        let name = "The inspection is eve's, and the gateway lets only supervisors delete records of others."
        // What never left the laptop is hers to delete.
        let before = try await shell.type("delete \(short)", "n", width: 400)
        #expect(!before.contains(name), "\(before)")
        try shell.acknowledge(.inspection, id)
        let transcript = try await shell.type("delete \(short)", "n", width: 400)
        #expect(transcript.contains("\(name) Delete the inspection"), "\(transcript)")
        #expect(try shell.field.inspections.find(id) != nil)
    }
}
