import DocumentValues
import FieldModels
import FieldRecords
import Testing

@testable import FieldShell

/// A supervisor deletes all findings of one person at another user's inspection with one command.
@Suite struct DeletedFindingsTests {
    private func author(_ name: String) -> Author {
        Author(name: name, moment: Timestamp(secondsSince1970: 1_772_619_000))
    }

    /// An inspection of mara's with one finding of her own and some of eve's, on the laptop of ines.
    private func shell(ofEve count: Int) throws -> Shell {
        let shell = try Shell()
        try shell.signIn("ines")
        let day = shell.session.environment.today()
        let hill = District("hill") ?? .unknown
        let inspection = Inspection(id: "inspection-a", site: "site-mill", date: day, district: hill)
        try shell.field.inspections.add(inspection, by: author("mara"))
        for (number, name) in (["mara"] + Array(repeating: "eve", count: count)).enumerated() {
            let finding = Finding(
                id: "finding-\(number)", inspection: "inspection-a", site: "site-mill", date: day, text: "Dust",
                district: hill)
            try shell.field.findings.add(finding, by: author(name))
        }
        return shell
    }

    private func findings(_ shell: Shell) throws -> [String] { try shell.field.findings.all().records.map(\.id) }

    @Test func oneAnswerDeletesAllOfOnePerson() async throws {
        let shell = try shell(ofEve: 2)
        let transcript = try await shell.type("delete findings of a by eve", "y", width: 300)
        #expect(transcript.contains("The gateway lets only supervisors delete records of others."), "\(transcript)")
        #expect(transcript.contains("Delete 2 findings of the inspection"), "\(transcript)")
        #expect(try findings(shell) == ["finding-0"], "\(transcript)")
        _ = try await shell.type("undo")
        #expect(try findings(shell).count == 3)
    }

    @Test func noLeavesThemAsTheyAre() async throws {
        let shell = try shell(ofEve: 1)
        let transcript = try await shell.type("delete findings of a by eve", "n", width: 300)
        #expect(transcript.contains("Nothing was deleted."), "\(transcript)")
        #expect(try findings(shell).count == 2)
    }

    /// Each would be a document of the journal.
    @Test func veryManyCannotBeBroughtBack() async throws {
        let shell = try shell(ofEve: FieldRecordsLimits.notedDeletions + 1)
        let transcript = try await shell.type("delete findings of a by eve", "y", "undo", width: 300)
        #expect(transcript.contains("That is too many to be brought back later."), "\(transcript)")
        #expect(try findings(shell) == ["finding-0"], "\(transcript)")
    }

    @Test func whatWasHandedInKeepsThem() async throws {
        let shell = try shell(ofEve: 1)
        try shell.field.lifeCycle.submit("inspection-a", by: author("mara"))
        try shell.acknowledge(.inspection, "inspection-a")
        let transcript = try await shell.type("delete findings of a by eve", width: 300)
        #expect(transcript.contains("which is submitted"), "\(transcript)")
        #expect(try findings(shell).count == 2)
    }

    @Test func whoHasFoundNothingIsNamed() async throws {
        let transcript = try await shell(ofEve: 1).type("delete findings of a by tom", width: 300)
        #expect(
            transcript.contains("has no findings by 'tom'. It has some by: eve, mara"), "\(transcript)")
    }

    /// A finding that changed after the question stays: the user has not agreed to delete that version.
    @Test func whatWasChangedMeanwhileStays() throws {
        let shell = try shell(ofEve: 2)
        let known = try shell.field.findings.all().records.filter { $0.envelope.createdBy == "eve" }
        try shell.field.findings.update("finding-1", by: author("eve")) { $0.text = "Rats" }
        #expect(try shell.field.removals.delete(known, by: author("ines")) == 1)
        #expect(try findings(shell) == ["finding-0", "finding-1"])
    }
}
