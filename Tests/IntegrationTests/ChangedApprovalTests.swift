import Foundation
import Testing

/// Findings that one laptop changes while a supervisor approves their inspection on another.
@Suite(.serialized) struct ChangedApprovalTests {
    /// An inspector with two laptops and a supervisor, who all have an inspection with two findings.
    private struct Team {
        let gateway: Gateway
        let first: FieldLaptop
        let second: FieldLaptop
        let supervisor: FieldLaptop
        let inspection: String

        init() throws {
            gateway = try Gateway()
            try gateway.makeFieldDatabase(
                sync: try String(contentsOf: DeletedElsewhereCommandTests.file("sample-data/sync.js"), encoding: .utf8))
            try gateway.setFieldUser("mara", ["district.hill"])
            try gateway.setFieldUser("ines", ["district.hill"], roles: ["supervisor"])
            (first, second, supervisor) = (try FieldLaptop(), try FieldLaptop(), try FieldLaptop())
            for laptop in [first, second] { #expect(try laptop.login(gateway, "mara").status == 0) }
            #expect(try supervisor.login(gateway, "ines").status == 0)
            #expect(try first.run("new", "site", "Old mill", "district=hill").status == 0)
            #expect(try first.run("new", "inspection", "mill", "score=90").status == 0)
            inspection = try #require(try first.ids("inspections").first)
            for text in ["cracked tile", "no soap"] {
                #expect(try first.run("new", "finding", inspection, "text=\(text)", "risk=low").status == 0)
            }
            for laptop in [first, second, supervisor] { #expect(try laptop.run("sync").status == 0) }
        }

        func finding(_ text: String) throws -> String {
            let line = try second.run("list", "findings", "--json").out.split(separator: "\n").first {
                $0.contains(text)
            }
            let data = Data(try #require(line).utf8)
            let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            return try #require(object["_id"] as? String)
        }
    }

    @Test(.timeLimit(.minutes(5))) func everybodyHearsOfIt() throws {
        let team = try Team()
        let inspection = team.inspection
        let short = String(inspection.trimmingPrefix("inspection-"))
        let (tile, soap) = (try team.finding("tile"), try team.finding("soap"))
        #expect(try team.second.run("delete", tile, "--yes").status == 0)
        #expect(try team.second.run("edit", soap, "risk=high").status == 0)
        #expect(try team.second.run("new", "finding", inspection, "text=mice", "risk=high").status == 0)
        #expect(try team.first.run("submit", inspection).status == 0)
        for laptop in [team.first, team.supervisor] { #expect(try laptop.run("sync").status == 0) }
        #expect(try team.supervisor.run("approve", inspection).out == "Approved \(short).\n")
        let quiet = try team.supervisor.run("sync")
        #expect(quiet.status == 0 && !quiet.out.contains("approved"), "\(quiet)")

        // The laptop that sends the changes reports it at once, the others with their next sync.
        for laptop in [team.second, team.supervisor, team.first] {
            let sync = try laptop.run("sync")
            #expect(sync.status == 0, "\(sync)")
            #expect(
                sync.out.contains(
                    "An approved inspection is not as approved:\n  \(short), Old mill, "),
                "\(sync)")
            #expect(sync.out.contains(": 1 changed, 1 new, 1 gone\nSee what: show \(short)\n"), "\(sync)")
            let today = try laptop.run("today").out
            #expect(today.contains("Changed after the approval"), "\(today)")
            let shown = try laptop.run("show", inspection).out
            for line in ["changed: no soap, high risk", "new: mice, high risk", "gone: Old mill, "] {
                #expect(shown.contains(line), "\(shown)")
            }
        }
        #expect(try team.supervisor.run("show", inspection).out.contains("cracked tile"))

        #expect(
            try team.supervisor.run("approve", inspection).out
                == "Approved \(short) as it is now.\n")
        for laptop in [team.supervisor, team.first, team.second] {
            let sync = try laptop.run("sync")
            #expect(sync.status == 0 && !sync.out.contains("not as approved"), "\(sync)")
            #expect(try !laptop.run("today").out.contains("after the approval"))
        }
    }

    @Test(.timeLimit(.minutes(5))) func theInspectionIsReturned() throws {
        let team = try Team()
        #expect(try team.second.run("edit", try team.finding("soap"), "risk=high").status == 0)
        #expect(try team.first.run("submit", team.inspection).status == 0)
        for laptop in [team.first, team.supervisor] { #expect(try laptop.run("sync").status == 0) }
        #expect(try team.supervisor.run("approve", team.inspection).status == 0)
        for laptop in [team.supervisor, team.second, team.supervisor] { #expect(try laptop.run("sync").status == 0) }
        let returned = try team.supervisor.run("return", team.inspection, "Why high?")
        #expect(returned.status == 0, "\(returned)")
        for laptop in [team.supervisor, team.second] { #expect(try laptop.run("sync").status == 0) }
        #expect(try team.second.run("submit", team.inspection).status == 0)
        let sync = try team.second.run("sync")
        #expect(sync.status == 0 && sync.out.hasPrefix("Sent 1 inspection."), "\(sync)")
        #expect(try !team.second.run("today").out.contains("after the approval"))
    }

    /// The gateway takes nothing of an approved photo from an inspector: the new name is a matter to decide.
    @Test(.timeLimit(.minutes(5))) func aPhotoRenamedMeanwhileHoldsNothingBack() throws {
        let team = try Team()
        let photo = try team.first.file("door.jpg", "a picture")
        #expect(try team.first.run("attach", team.inspection, photo).status == 0)
        for laptop in [team.first, team.second, team.supervisor] { #expect(try laptop.run("sync").status == 0) }
        #expect(try team.second.run("photo", "rename", team.inspection, "door.jpg", "much-longer-name.jpg").status == 0)
        #expect(try team.second.run("edit", team.inspection, "score=77").status == 0)
        #expect(try team.first.run("submit", team.inspection).status == 0)
        for laptop in [team.first, team.supervisor] { #expect(try laptop.run("sync").status == 0) }
        #expect(try team.supervisor.run("approve", team.inspection).status == 0)
        for laptop in [team.supervisor, team.second, team.supervisor] {
            let sync = try laptop.run("sync")
            #expect(sync.status == 0 && !sync.out.contains("refused"), "\(sync)")
        }
        let shown = try team.supervisor.run("conflicts", "show", team.inspection).out
        for text in ["name of door.jpg", "much-longer-name.jpg", "77", "90"] {
            #expect(shown.contains(text), "\(shown)")
        }
        let decided = try team.supervisor.run("conflicts", "take", team.inspection, "current")
        #expect(decided.status == 0, "\(decided)")
        for laptop in [team.supervisor, team.second] { #expect(try laptop.run("sync").status == 0) }
        #expect(try team.second.run("conflicts", "show", team.inspection).status != 0)
    }
}
