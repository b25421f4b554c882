import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// A record that two people have moved to different sites: the fields that go together, and who decides.
@Suite struct SiteDecisionTests {
    /// An inspection of Old mill in hill here, and of Quay café in shore on another laptop; both districts have it.
    private func moved(_ shell: Shell, inspector: String, sites: Bool = true) async throws -> String {
        try shell.signIn("mara")
        let author = Author(name: "olga", moment: Timestamp(secondsSince1970: 0))
        try shell.field.sites.update("site-quay", by: author) { $0.envelope.move(to: try #require(District("shore"))) }
        // Who has work of their own, and has never reviewed anything, is no supervisor.
        _ = try await shell.type("new inspection mill --finding Dust --yes", "new inspection mill --yes")
        let id = try #require(try shell.field.findings.all().records.first?.inspection)
        let writer = Author(name: inspector, moment: Timestamp(secondsSince1970: 1_772_619_307), device: "desk")
        try shell.field.inspections.update(id, by: writer) { inspection in
            inspection.inspector = inspector
            inspection.envelope.createdBy = inspector
            inspection.envelope.channels.append("district.shore")
            let site = [
                Shell.contestedEntry("site", value: "site-mill", by: inspector, device: "desk"),
                Shell.contestedEntry("site", value: "site-quay", by: "ines", device: "other"),
            ]
            inspection.envelope.rest["conflicts"] = .array(
                (sites ? site : []) + [
                    Shell.contestedEntry("district", value: "hill", by: inspector, device: "desk"),
                    Shell.contestedEntry("district", value: "shore", by: "ines", device: "other"),
                ])
        }
        try shell.acknowledge(.inspection, id)
        return id
    }

    private func take(_ shell: Shell, _ id: String, _ choice: String, _ answers: String...) async throws -> String {
        let short = RecordReference.short(id, kind: .inspection)
        let lines = ["conflicts show \(short)", "conflicts take \(short) \(choice)"] + answers
        let dialogue = ScriptedDialogue(lines: lines)
        shell.use(dialogue)
        _ = await shell.loop(width: 300).run()
        return dialogue.transcript
    }

    // MARK: Together

    @Test(arguments: ["district=shore", "site=theirs"]) func siteAndDistrictAreDecidedTogether(choice: String)
        async throws
    {
        let shell = try Shell()
        let id = try await moved(shell, inspector: "mara")
        let taken = try await take(shell, id, choice)
        #expect(taken.contains("District is shore") && taken.contains("Site is Quay café"), "\(taken)")
        let inspection = try #require(try shell.field.inspections.find(id))
        #expect(inspection.site == "site-quay" && inspection.district?.code == "shore")
        #expect(inspection.envelope.channels == ["district.shore"])
        #expect(inspection.envelope.rest["conflicts"] == nil)
        #expect(try shell.field.findings.all().records.map(\.site) == ["site-quay"])
    }

    @Test func aDistrictOfNeitherSiteNeedsItsSite() async throws {
        let shell = try Shell()
        let id = try await moved(shell, inspector: "mara")
        let taken = try await take(shell, id, "district=moor")
        #expect(taken.contains("is to be decided, too, and its district goes with it. Nothing was decided"), "\(taken)")
        #expect(taken.contains("conflicts take \(RecordReference.short(id, kind: .inspection)) site=SITE"), "\(taken)")
        let inspection = try #require(try shell.field.inspections.find(id))
        #expect(inspection.site == "site-mill" && inspection.district?.code == "hill")
        #expect(inspection.envelope.rest["conflicts"] != nil)
    }

    @Test func aDistrictAloneIsDecidedAlone() async throws {
        let shell = try Shell()
        let id = try await moved(shell, inspector: "mara", sites: false)
        let taken = try await take(shell, id, "theirs")
        #expect(taken.contains("Decided: District is shore."), "\(taken)")
        #expect(try shell.field.inspections.find(id)?.envelope.channels == ["district.shore"])
    }

    // MARK: Whose it is

    /// Either district would be left by it, also the one that counts now.
    @Test(arguments: ["other", "current", "district=hill", "site=other"])
    func aColleaguesInspectionIsNotMovedUnasked(choice: String) async throws {
        let shell = try Shell()
        let id = try await moved(shell, inspector: "tomas")
        let short = RecordReference.short(id, kind: .inspection)
        let question =
            "Only a supervisor moves records of others to other districts, and the inspection \(short) is tomas's. "
            + "Decide all the same? y or n"
        let refused = try await take(shell, id, choice, "n")
        #expect(refused.contains(question), "\(refused)")
        #expect(refused.contains("Nothing was decided. Ask tomas or a supervisor to decide."), "\(refused)")
        #expect(try shell.field.inspections.find(id)?.envelope.rest["conflicts"] != nil)
        let taken = try await take(shell, id, choice, "y")
        #expect(taken.contains("Decided: "), "\(taken)")
        #expect(try shell.field.inspections.find(id)?.envelope.rest["conflicts"] == nil)
    }

    @Test func nobodyCanBeAskedOutsideTheShell() async throws {
        let shell = try Shell()
        let id = try await moved(shell, inspector: "tomas")
        shell.session.use = .command
        shell.use(SilentDialogue { _ in })
        await #expect(throws: UsageError.self) {
            try await CommandRunner(shell.session).run(.conflicts(.take(id, side: "theirs", values: [])))
        }
        #expect(try shell.field.inspections.find(id)?.envelope.rest["conflicts"] != nil)
    }

    @Test func aSupervisorIsNotAsked() async throws {
        let shell = try Shell()
        let id = try await moved(shell, inspector: "tomas")
        // Who has approved something may be a supervisor.
        let other = try #require(try shell.field.inspections.all().records.first { $0.id != id })
        let mara = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307))
        try shell.field.inspections.update(other.id, by: mara) {
            $0.inspector = "olga"
            $0.status = .approved
        }
        let taken = try await take(shell, id, "other")
        #expect(taken.contains("Decided: ") && !taken.contains("Only a supervisor"), "\(taken)")
    }
}
