import Foundation
import Testing

/// What the gateway does not take of a submitted inspection, and how its inspector gets it through, with real processes.
@Suite(.serialized) struct RefusedSubmissionCommandTests {
    /// An inspector, a colleague and two supervisors with the site Old mill; the inspector has one more district.
    private struct Team {
        let gateway: Gateway
        let mara: FieldLaptop
        let tomas: FieldLaptop
        let ines: FieldLaptop
        let boss: FieldLaptop

        init() throws {
            gateway = try Gateway()
            try gateway.makeFieldDatabase(
                sync: try String(contentsOf: DeletedElsewhereCommandTests.file("sample-data/sync.js"), encoding: .utf8))
            try gateway.setFieldUser("mara", ["district.hill", "district.shore"])
            try gateway.setFieldUser("tomas", ["district.hill"])
            for name in ["ines", "boss"] {
                try gateway.setFieldUser(name, ["district.hill", "district.shore"], roles: ["supervisor"])
            }
            func laptop() throws -> FieldLaptop { try FieldLaptop() }
            (mara, tomas, ines, boss) = (try laptop(), try laptop(), try laptop(), try laptop())
            for (laptop, name) in [(mara, "mara"), (tomas, "tomas"), (ines, "ines"), (boss, "boss")] {
                #expect(try laptop.login(gateway, name).status == 0)
            }
            #expect(try mara.run("new", "site", "Old mill", "district=hill").status == 0)
            for laptop in [mara, tomas, ines, boss] { try Self.sync(laptop) }
        }

        /// - Returns: the id of a draft that everybody has.
        func draft(of laptop: FieldLaptop) throws -> String {
            let known = try laptop.ids("inspections")
            #expect(try laptop.run("new", "inspection", "mill", "score=50").status == 0)
            let id = try #require(try laptop.ids("inspections").first { !known.contains($0) })
            #expect(try laptop.run("new", "finding", id, "text=no soap", "risk=low").status == 0)
            for other in [laptop, mara, tomas, ines, boss] { try Self.sync(other) }
            return id
        }

        static func sync(_ laptop: FieldLaptop) throws {
            let sync = try laptop.run("sync")
            #expect(sync.status == 0, "\(sync)")
        }
    }

    @Test(.timeLimit(.minutes(5))) func aMistypedDistrictIsCorrectedAfterwards() throws {
        let team = try Team()
        let id = try team.draft(of: team.mara)
        let short = String(id.trimmingPrefix("inspection-"))
        #expect(try team.mara.run("edit", id, "district=hlil", "notes=important", "score=92").status == 0)
        #expect(try team.mara.run("submit", id).status == 0)
        #expect(try team.mara.run("edit", "mill", "phone=1").status == 0)
        let refused = try team.mara.run("sync")
        #expect(refused.status == 1 && refused.out.contains("hlil is not one of yours"), "\(refused)")
        for number in ["1", "2"] {
            let advice = try team.mara.run("outbox", "show", number).out
            #expect(advice.contains("edit \(short) district=CODE"), "\(advice)")
        }
        let moved = try team.mara.run("edit", short, "district=hill")
        #expect(moved.status == 0, "\(moved)")
        for laptop in [team.mara, team.ines] { try Team.sync(laptop) }
        let shown = try team.ines.run("show", id).out
        for part in ["important", "92", "submitted", "hill", "no soap"] { #expect(shown.contains(part), "\(shown)") }
    }

    @Test(.timeLimit(.minutes(5))) func aColleaguesDraftStaysWhereItIs() throws {
        let team = try Team()
        let id = try team.draft(of: team.tomas)
        _ = try team.draft(of: team.mara)
        let refused = try team.mara.run("edit", id, "district=shore", "notes=mara notes")
        #expect(refused.status == 2 && refused.err.contains("Only a supervisor moves records of others"), "\(refused)")
        #expect(try team.mara.waiting() == 0)
        // Who does it all the same gets out of it.
        #expect(try team.mara.run("edit", id, "district=shore", "notes=mara notes", "--yes").status == 0)
        #expect(try team.mara.run("submit", id, "--yes").status == 0)
        #expect(try team.mara.run("sync").status == 1)
        let number = try #require(
            try team.mara.run("outbox", "--json").events.first { $0["_id"] as? String == id }?["number"])
        let advice = try team.mara.run("outbox", "show", "\(number)").out
        #expect(advice.contains("district=hill"), "\(advice)")
        let back = try team.mara.run("edit", id, "district=hill")
        #expect(back.status == 0, "\(back)")
        for laptop in [team.mara, team.tomas] { try Team.sync(laptop) }
        let shown = try team.tomas.run("show", id).out
        for part in ["mara notes", "submitted", "no soap"] { #expect(shown.contains(part), "\(shown)") }
    }

    @Test(.timeLimit(.minutes(5))) func theReasonOfAReturnIsTheSupervisors() throws {
        let team = try Team()
        let id = try team.draft(of: team.mara)
        #expect(try team.mara.run("submit", id).status == 0)
        for laptop in [team.mara, team.ines, team.boss] { try Team.sync(laptop) }
        #expect(try team.ines.run("return", id, "no photo").status == 0)
        #expect(try team.boss.run("return", id, "where is the score").status == 0)
        for laptop in [team.ines, team.boss, team.mara] { #expect(try laptop.run("sync").status == 0) }
        #expect(try team.mara.run("conflicts").out == "There is nothing to decide.\n")
        let shown = try team.mara.run("show", id).out
        for part in ["A supervisor decides", "no photo", "where is the score"] {
            #expect(shown.contains(part), "\(shown)")
        }
        let refused = try team.mara.run("conflicts", "take", id, "other")
        #expect(refused.status == 2 && refused.err.contains("Only a supervisor may decide that"), "\(refused)")
        #expect(try team.mara.run("edit", id, "notes=done", "score=51").status == 0)
        #expect(try team.mara.run("submit", id).status == 0)
        for laptop in [team.mara, team.ines] { try Team.sync(laptop) }
        #expect(try team.ines.run("conflicts").out.contains("Returned because"))
        #expect(try team.ines.run("approve", id, "--yes").status == 0)
        for laptop in [team.ines, team.boss, team.mara] { try Team.sync(laptop) }
        #expect(try team.boss.run("conflicts").out == "There is nothing to decide.\n")
        #expect(try team.mara.run("show", id).out.contains("approved"))
    }

    @Test(.timeLimit(.minutes(5))) func aDeletionIsTakenBackAfterAnotherChangeWasSent() throws {
        let team = try Team()
        let id = try team.draft(of: team.mara)
        #expect(try team.mara.run("delete", id, "--yes").status == 0)
        #expect(try team.mara.run("new", "site", "Kiosk", "district=hill").status == 0)
        for laptop in [team.mara, team.tomas] { try Team.sync(laptop) }
        #expect(try team.mara.run("undo").status == 1)
        let listed = try team.mara.run("list", "--deleted").out
        #expect(listed.contains("Old mill") && listed.contains("here"), "\(listed)")
        let back = try team.mara.run("undo", id)
        #expect(back.status == 0, "\(back)")
        for laptop in [team.mara, team.tomas] { try Team.sync(laptop) }
        #expect(try team.tomas.ids("inspections") == [id])
        #expect(try team.tomas.ids("findings").count == 1)
    }
}
