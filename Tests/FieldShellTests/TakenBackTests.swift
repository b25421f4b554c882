import DocumentStore
import DocumentValues
import FieldModels
@testable import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// A colleague's draft with a change that only supervisors may make, and that its owner has handed in since.
@Suite struct TakenBackTests {
    private let tomas = Author(name: "tomas", moment: Timestamp(secondsSince1970: 1_772_619_000))
    private let mara = Author(name: "mara", moment: Timestamp(secondsSince1970: 1_772_619_100))
    private static let move = "only a supervisor moves records of others to other districts"
    private static let handOver = "only a supervisor hands work to somebody else"

    /// The gateway has tomas's inspection as submitted, with a finding.
    private func shell(channels: [String] = ["district.hill"]) throws -> Shell {
        let shell = try Shell()
        try shell.signIn("mara")
        let (day, hill) = (shell.session.environment.today(), try #require(District("hill")))
        var inspection = Inspection(id: "inspection-t", site: "site-mill", date: day, district: hill)
        inspection.inspector = "tomas"
        inspection.envelope.channels = channels
        try shell.field.inspections.add(inspection, by: tomas)
        var finding = Finding(
            id: "finding-f", inspection: "inspection-t", site: "site-mill", date: day, text: "Dust", district: hill)
        finding.envelope.channels = channels
        try shell.field.findings.add(finding, by: tomas)
        try shell.field.inspections.update("inspection-t", by: tomas) { $0.status = .submitted }
        try shell.acknowledge(.inspection, "inspection-t")
        try shell.acknowledge(.finding, "finding-f")
        return shell
    }

    private func inspection(_ shell: Shell) throws -> Inspection {
        try #require(try shell.field.inspections.find("inspection-t"))
    }

    @Test(arguments: [["district.hill"], ["district.hill", "district.quay"]])
    func aMoveIsTakenBackAndTheRestIsSent(channels: [String]) async throws {
        let shell = try shell(channels: channels)
        let shore = try #require(District("shore"))
        try shell.field.inspections.update("inspection-t", by: mara) {
            $0.envelope.channels = []
            $0.envelope.move(to: shore)
            $0.notes = "mine"
        }
        try shell.field.findings.update("finding-f", by: mara) {
            $0.envelope.channels = []
            $0.envelope.move(to: shore)
        }
        try shell.refuse(.inspection, "inspection-t", Self.move)
        let shown = try await shell.type("outbox show 1", "edit t notes=other", width: 300)
        let way = "edit t district=hill"
        #expect(shown.contains(way), "\(shown)")
        #expect(shown.contains("is submitted, so it can no longer be changed"), "\(shown)")
        let back = try await shell.type(way, width: 300)
        #expect(back.contains("Saved the inspection"), "\(back)")
        let sent = try inspection(shell)
        #expect(sent.district?.code == "hill" && sent.notes == "mine" && sent.status == .submitted, "\(back)")
        #expect(sent.channels == channels)
        #expect(try shell.field.findings.find("finding-f")?.channels == channels)
    }

    @Test func workThatWasGivenAwayIsHandedBack() async throws {
        let shell = try shell()
        try shell.field.inspections.update("inspection-t", by: mara) { ($0.inspector, $0.notes) = ("mara", "mine") }
        try shell.refuse(.inspection, "inspection-t", Self.handOver)
        let shown = try await shell.type("outbox", "outbox show 1", "edit t inspector=ines", width: 300)
        let way = "edit t inspector=tomas"
        #expect(shown.contains("Hand it back; the rest is sent then: \(way)"), "\(shown)")
        #expect(shown.contains("Hand it back (edit ... inspector=NAME), or ask one to do it."), "\(shown)")
        #expect(shown.contains("can no longer be changed"), "\(shown)")
        let back = try await shell.type(way, width: 300)
        let sent = try inspection(shell)
        #expect(sent.inspector == "tomas" && sent.notes == "mine" && sent.status == .submitted, "\(back)")
    }

    /// Its inspection is elsewhere by now; where it was, the gateway takes the rest of it.
    @Test func aFindingComesBackAlone() async throws {
        let shell = try shell(channels: ["district.hill", "district.shore"])
        let shore = try #require(District("shore"))
        try shell.field.inspections.update("inspection-t", by: tomas) { $0.envelope.move(to: shore) }
        try shell.acknowledge(.inspection, "inspection-t")
        try shell.field.findings.update("finding-f", by: mara) {
            $0.envelope.move(to: shore)
            $0.notes = "mine"
        }
        try shell.refuse(.finding, "finding-f", Self.move)
        let shown = try await shell.type("outbox show 1", width: 300)
        #expect(shown.contains("edit f district=hill"), "\(shown)")
        let back = try await shell.type("edit f district=hill", width: 300)
        let sent = try #require(try shell.field.findings.find("finding-f"))
        #expect(sent.channels == ["district.hill", "district.shore"] && sent.notes == "mine", "\(back)")
    }
}
