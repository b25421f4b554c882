import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Records in a district that is not their author's: how they get out of the outbox.
@Suite struct DistrictTests {
    private static let reason = "the district hill is not one of yours"

    private func inspection(_ shell: Shell) throws -> Inspection {
        try #require(try shell.field.inspections.all().records.first)
    }

    /// A submitted inspection with a finding, both refused, of a site that the gateway has.
    private func refused(_ shell: Shell) async throws -> String {
        _ = try await shell.type("new inspection mill form=kitchen fridge=4 --finding Dust --yes", "submit 1")
        try shell.acknowledge(.site, "site-mill")
        let id = try inspection(shell).id
        try shell.refuse(.inspection, id, Self.reason)
        return RecordReference.short(id, kind: .inspection)
    }

    @Test func aRefusedInspectionIsMovedWithItsFindings() async throws {
        let shell = try Shell()
        let id = try await refused(shell)
        let shown = try await shell.type("outbox", "outbox show 1")
        let text = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            text.contains("The district hill is not one of yours. Move it to one that is (edit ... district=CODE)"))
        #expect(shown.contains("Move it to a district of yours: edit \(id) district=CODE"))
        let moved = try await shell.type("edit \(id) district=quay")
        #expect(moved.contains("Saved the inspection \(id).\nMoved to quay with it: 1 finding."))
        let inspection = try inspection(shell)
        #expect(inspection.district?.code == "quay" && inspection.envelope.channels.contains("district.quay"))
        #expect(inspection.status == .submitted && inspection.score == nil)
        #expect(try shell.field.findings.all().records.map(\.district?.code) == ["quay"])
        // What the gateway has is as it was handed in.
        try shell.acknowledge(.inspection, inspection.id)
        #expect(try await shell.type("edit \(id) district=hill").contains("it can no longer be changed"))
    }

    @Test func aCorrectedSiteTakesItsUnsentRecordsAlong() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes", "new inspection quay --yes")
        try shell.refuse(.site, "site-mill", Self.reason)
        let id = try #require(try shell.field.inspections.all().records.first { $0.site == "site-mill" }?.id)
        try shell.refuse(.inspection, id, Self.reason)
        let advice = try await shell.type("outbox show \(RecordReference.short(id, kind: .inspection))")
        let text = advice.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            text.contains("Move its site to a district of yours; it goes along: edit mill district=CODE"))
        let moved = try await shell.type("edit mill district=shore")
        #expect(moved.contains("Moved to shore with it: 1 inspection, 1 finding."))
        let districts = try shell.field.inspections.all().records.map { "\($0.site) \($0.district?.code ?? "")" }
        #expect(Set(districts) == ["site-mill shore", "site-quay hill"])
        let undone = try await shell.type("undo")
        #expect(undone.contains("Undone: edit"))
        #expect(try inspection(shell).district?.code == "hill")
    }

    /// What others have seen in its district stays there.
    @Test func whatWasSentStays() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --yes")
        try shell.acknowledge(.inspection, try inspection(shell).id)
        let moved = try await shell.type("edit mill district=shore")
        #expect(!moved.contains("with it"))
        #expect(moved.contains("Still in hill, since others have them there: 1 inspection."))
        #expect(moved.contains("edit NUMBER site=site-mill"))
        #expect(try inspection(shell).district?.code == "hill")
    }

    /// People of the inspection's district would have it without the finding.
    @Test func aFindingIsWhereItsInspectionIs() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let (inspection, finding) = try (inspection(shell), #require(try shell.field.findings.all().records.first))
        let ids = (
            RecordReference.short(inspection.id, kind: .inspection), RecordReference.short(finding.id, kind: .finding)
        )
        let advice = "edit \(ids.0) district=shore"
        let refused = try await shell.type(
            "edit \(ids.1) district=shore risk=low", "new finding \(ids.0) text=Mould district=shore --yes",
            "edit \(ids.1) risk=low",
            "edit \(ids.1)", "5", "shore", "", "", width: 300)
        #expect(refused.components(separatedBy: advice).count >= 3, "\(refused)")
        #expect(refused.contains("must be hill, which is its inspection's"))
        #expect(try shell.field.findings.all().records.map(\.district?.code) == ["hill"])
        let moved = try await shell.type(advice, "edit \(ids.1) notes=wet")
        #expect(moved.contains("Moved to shore with it: 1 finding."), "\(moved)")
        #expect(try shell.field.findings.all().records.map(\.district?.code) == ["shore"])
        // One that is in another district already comes back, and its other fields can be changed before that.
        let author = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_307))
        try shell.field.findings.update(finding.id, by: author) { $0.envelope.move(to: District("hill") ?? .unknown) }
        let back = try await shell.type("edit \(ids.1) notes=dry", "edit \(ids.1) district=shore")
        #expect(back.components(separatedBy: "Saved the finding").count == 3, "\(back)")
        #expect(try shell.field.findings.all().records.map(\.district?.code) == ["shore"])
    }

    /// Its owner has the inspection in a district that was taken away here, and would have it without the finding.
    @Test func aFindingDoesNotLeaveAnInspectionThatWasTakenAway() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let finding = try #require(try shell.field.findings.all().records.first)
        try shell.refuse(.finding, finding.id, Self.reason)
        try shell.field.collection(of: .inspection).purge(id: try inspection(shell).id)
        let id = RecordReference.short(finding.id, kind: .finding)
        let shown = try await shell.type("outbox", "outbox show 1", "edit \(id) district=shore", width: 300)
        #expect(
            shown.contains(
                "The district hill is not one of yours. Its inspection is not on this laptop: ask your administrator"),
            "\(shown)")
        #expect(!shown.contains("district=CODE"), "\(shown)")
        #expect(shown.contains("Ask your administrator for the district of its inspection"), "\(shown)")
        #expect(shown.contains("stays its inspection's, which is not on this laptop"), "\(shown)")
        #expect(try shell.field.findings.all().records.map(\.district?.code) == ["hill"])
    }

    @Test func districtsOfWhatAGatewayHasAreKnown() throws {
        let shell = try Shell()
        let author = try shell.session.author()
        for code in ["hill", "quay"] {
            let district = District(code) ?? .unknown
            try shell.field.sites.add(
                Site(id: "site-in-\(code)", name: code, address: Address(), district: district), by: author)
        }
        #expect(try shell.field.districts.unaccepted(among: ["quay", "shore"]).isEmpty, "nothing was sent")
        try shell.acknowledge(.site, "site-in-quay")
        #expect(try shell.field.collection(of: .site).idsKnownToRemotes() == [Name("site-in-quay")])
        #expect(try shell.field.districts.known(for: nil).codes == [Name("quay")])
        #expect(try shell.field.districts.accepted() == ["quay"])
        #expect(try shell.field.districts.unaccepted(among: ["quay", "shore"]) == ["shore"])
    }

    /// The slip that was refused is no district, and the right one is no slip.
    @Test func aRefusedDistrictIsNotOffered() async throws {
        let shell = try Shell()
        for site in ["site-mill", "site-quay"] { try shell.acknowledge(.site, site) }
        _ = try await shell.type("new site Kiosk district=harbor --yes")
        let id = try #require(try shell.field.sites.all().records.first { $0.name == "Kiosk" }).id
        try shell.refuse(.site, id, "the district harbor is not one of yours")
        let short = RecordReference.short(id, kind: .site)
        let transcript = try await shell.type("edit \(short) district=harbour")
        #expect(!transcript.contains("Sure?"), "\(transcript)")
        #expect(try shell.field.sites.find(id)?.district?.code == "harbour")
    }

    @Test func nobodyIsAskedForTheDistrictOfAnInspection() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("new inspection mill", "", "", "", "", "", "", "", "")
        #expect(!transcript.contains("District"))
    }

    @Test(arguments: [
        ("list --district hlil", "There is no district 'hlil'. Did you mean hill?"),
        ("sites --district nowhere", "There is no district 'nowhere'. There are: hill."),
        ("edit mill district=hil", "The district 'hil' is not known here; there is hill. Sure? y or n"),
        ("list --status dratf", "There is no status 'dratf'. Did you mean draft?"),
        (
            "list colours",
            "There is no kind of record 'colours'. sites, inspections, findings, forms, assignments, responses"
        ),
        ("quarantine forget 1", "There is no action 'forget'. show, restore, discard, list"),
        ("conflicts forget 1", "There is no action 'forget'. show, take, list"),
    ])
    func whatIsNotThereIsProposed(line: String, text: String) async throws {
        let transcript = try await Shell().type(line, "n")
        #expect(transcript.contains(text), "\(transcript)")
    }
}
